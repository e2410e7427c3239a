// SPDX-License-Identifier: MIT
//
// Flow: one side of one connection in mixed traffic. It plays its script, receives the messages of its peer's script,
// and compares every byte: of messages, of its Reads, and of the peer's memory that it writes.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "conformance/traffic/scattered.h"
#include "conformance/traffic/script.h"
#include "conformance/vocabulary/driver.h"

namespace opennd::conformance::traffic {

inline constexpr std::size_t kSources = 4;
inline constexpr std::size_t kReceives = 4;
// Of one flow: memory for its own requests and receives, and windows that only its peer's requests use.
inline constexpr std::size_t kFlowBytes = (kSources + kReceives) * kSlotBytes + kWindows * kWindowBytes;

inline constexpr QueuePairOptions kQueuePairs{
    .receive_depth = kReceives, .initiator_depth = 2 * kSources + 2, .inline_bytes = kInlineBytes};

class Flow {
public:
    // `memory` is a part of the region, and zero.
    Flow(std::uint64_t script_seed, std::uint64_t peer_seed, std::size_t steps, std::span<std::byte> memory,
         MemoryRegion& region);

    void attach(std::unique_ptr<QueuePair> queue_pair, Flow& peer);
    // Connected: lets the peer at the windows.
    void open() { remote_token_ = queue_pair_->grant(region_); }
    QueuePair& queue_pair() { return *queue_pair_; }

    // The rest: by the thread of its party alone. Whether it could do anything.
    bool play();
    void complete(const Completion& completion);
    bool done() const { return !step_ && in_flight_.empty() && !expected_; }
    // When both are done: the peer's windows hold this flow's bytes.
    void check_windows() const;

private:
    struct Request {
        Tag tag;
        RequestKind kind;
        Step step;
        std::size_t source;
        std::vector<std::byte> bytes;
        bool last;  // of its step
    };

    bool post_receive();
    bool post_step();
    void post(Request request, Outcome outcome);
    void finish(const Request& request);
    void finish_write(const Request& request);
    void finish_receive(const Completion& completion);

    std::span<std::byte> source(std::size_t index) const { return memory_.subspan(index * kSlotBytes, kSlotBytes); }
    std::span<std::byte> receive_slot(Tag number) const {
        return memory_.subspan((kSources + number % kReceives) * kSlotBytes, kSlotBytes);
    }
    std::span<std::byte> window(std::size_t index) const {
        return memory_.subspan((kSources + kReceives) * kSlotBytes + index * kWindowBytes, kWindowBytes);
    }
    Remote remote(std::size_t window_index, std::size_t offset) const {
        return {reinterpret_cast<std::uintptr_t>(window(window_index).data()) + offset, remote_token_};
    }

    const std::span<std::byte> memory_;
    MemoryRegion& region_;
    const std::uint32_t local_token_;
    std::uint32_t remote_token_ = 0;
    std::unique_ptr<QueuePair> queue_pair_;
    Flow* peer_ = nullptr;

    Script script_;
    std::optional<Step> step_;  // the next to post
    Tag next_request_ = 0;
    Tag sends_ = 0;
    std::deque<Request> in_flight_;
    std::array<Scattered, kSources> layouts_;
    std::array<bool, kSources> source_busy_{};
    std::size_t next_source_ = 0;
    std::array<bool, kWindows> window_busy_{};                      // the peer's
    std::array<std::vector<std::byte>, kWindows> window_contents_;  // the expected bytes

    Script peer_script_;
    std::optional<Step> to_post_;   // the message that the next posted receive is for
    std::optional<Step> expected_;  // the next one to arrive
    Script arrivals_;
    std::array<Scattered, kReceives> receive_layouts_;
    Tag received_ = 0;
    std::atomic<Tag> receives_posted_{0};  // the peer sends no more than that
};

}  // namespace opennd::conformance::traffic
