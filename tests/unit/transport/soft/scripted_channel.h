// SPDX-License-Identifier: MIT
// A wire that the test scripts.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "transport/soft/channel/channel.h"

namespace opennd::test {

class ScriptedChannel final : public soft::Channel, public soft::PeerAttention, public soft::PeerAccess {
public:
    explicit ScriptedChannel(const soft::ChannelFacts& facts = {}) : Channel(*this, *this, facts) {}

    std::function<soft::StartResult()> on_start;
    std::function<std::size_t(soft::ReceiveTurn&)> on_receive = [](soft::ReceiveTurn&) { return 0; };
    Status refusal = Status::success;           // of requests in flight that have not finished, unless success
    std::uint64_t finished_before = 0;          // tickets below it have finished
    std::uint64_t refused_before = UINT64_MAX;  // of the others those below it meet `refusal`
    Status half = Status::canceled;             // of a message that was begun and cannot go on
    bool carries_out = false;                   // short Reads and Writes, on the spot
    int withdrawals = 0, nudges = 0;
    int looks_until_held = 0;  // calls of stop_requests() that find the peer in the middle of a message
    std::vector<Status> refusals;
    std::vector<Sge> entries;                // of the request that was started last
    std::optional<std::uint32_t> immediate;  // of the newest that has some
    bool takes_immediate = true;
    std::function<void()> on_look = [] {};
    std::function<void(soft::Attention)> on_attention = [](soft::Attention) {};  // before it is set

    // For a crowd.
    std::function<bool(soft::Crowd&, soft::Place)> on_join = [](soft::Crowd&, soft::Place) { return false; };
    soft::Crowd* crowd = nullptr;
    std::optional<soft::Place> place;
    bool can_be_followed = false, followed = false;

    // From now on an arrival shows in a word; before, there is always something to ask for.
    void show_arrivals() {
        expected_.store(1);
        arrival_.store(&newest_);
    }
    void arrive() { newest_.store(expected_.load()); }
    void take_arrival_back() { newest_.store(expected_.load() - 1); }
    void leave_work(bool leaves) { left_work_.store(leaves); }
    void take() { expected_.store(expected_.load() + 1); }

    soft::StartResult start(const soft::OutboundRequest& request) override {
        entries.assign(request.sges.begin(), request.sges.end());
        return on_start();
    }
    soft::StartResult start_with_immediate(const soft::OutboundRequest& request, std::uint32_t data) override {
        immediate = data;
        return start(request);
    }
    bool carries_immediate() const override { return takes_immediate; }
    bool carry_out(const soft::OutboundRequest&) override { return carries_out; }
    void describe_connection(QueuePairUse& use) const override { use.path = "scripted"; }
    void show_as_taken_back() override { ++withdrawals; }
    std::size_t receive(soft::ReceiveTurn& turn, std::size_t) override { return on_receive(turn); }
    bool find_outcome(soft::Ticket ticket, Status& status) override {
        const auto number = static_cast<std::uint64_t>(ticket);
        status = number < finished_before || number >= refused_before ? Status::success : refusal;
        return !ok(status) || number < finished_before;
    }
    void read_counters() override { on_look(); }
    Status unfinished() const override { return half; }
    std::uint32_t failure_code(Operation, Status status) const override { return static_cast<std::uint32_t>(status); }
    void refuse(Status reason) override { refusals.push_back(reason); }
    bool stop_requests() override { return looks_until_held == 0 || --looks_until_held == 0; }
    soft::Attention attention() const override { return attention_; }
    soft::Attention set_attention(soft::Attention attention) override {
        on_attention(attention);
        return attention_.exchange(attention);
    }
    bool join(soft::Crowd& to, soft::Place at) override {
        crowd = &to;
        return on_join(to, at);
    }
    bool follow(bool closely) override { return followed = closely && can_be_followed, followed; }
    void nudge() override { ++nudges; }
    void close() override {}

private:
    std::atomic<std::uint64_t> newest_{0};
    std::atomic<soft::Attention> attention_{soft::Attention::asleep};  // a poller and the service thread set it
};

}  // namespace opennd::test
