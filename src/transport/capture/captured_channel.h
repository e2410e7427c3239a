// SPDX-License-Identifier: MIT
// A channel that is captured: the wire's own channel does the work, and every message that a program sees goes to the capture that
// runs, if one does. Read soft/channel/channel.h and capture.h first.
//
// What this side asks for is told when it starts; a Read's answer, when it is there; a message of the peer, by the tap, when it lies
// in its receive. A Read or Write of the peer is told by the peer: over memory that both see, this process has no part in it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "transport/capture/captures.h"
#include "transport/soft/channel/layered_channel.h"

namespace opennd::capture {

class CapturedChannel final : public soft::LayeredChannel {
public:
    // Throws std::bad_alloc. `captures` outlives it.
    CapturedChannel(Ref<soft::Channel> inner, const soft::ConnectionFacts& facts, Captures& captures);
    ~CapturedChannel() override;

    soft::StartResult start(const soft::OutboundRequest& request) override EXCLUDES(mutex_);
    soft::StartResult start_with_immediate(const soft::OutboundRequest& request, std::uint32_t immediate) override
        EXCLUDES(mutex_);
    soft::StartResult start_unlocked(const soft::OutboundRequest& request) override EXCLUDES(mutex_);
    bool abandon_start() override EXCLUDES(mutex_);
    std::size_t receive(soft::ReceiveTurn& turn, std::size_t budget) override EXCLUDES(mutex_);
    bool find_outcome(soft::Ticket ticket, Status& status) override EXCLUDES(mutex_);
    std::uint32_t failure_code(Operation operation, Status status) const override EXCLUDES(mutex_);
    void refuse(Status reason) override EXCLUDES(mutex_);
    bool decline(soft::ReceiveTurn& turn) override EXCLUDES(mutex_);
    void close() override EXCLUDES(mutex_);

    void on_received(std::span<const Sge> sges, const Completion& completion) override EXCLUDES(mutex_);
    void on_tapped(std::uint32_t reads_in_flight) override EXCLUDES(mutex_);
    void on_peers_end() override EXCLUDES(mutex_);

private:
    // A Read of this side that is not done.
    struct Read {
        std::vector<Sge> sges;
        std::uint32_t length_bytes = 0;
        std::optional<soft::Ticket> ticket;
    };
    using Starter = soft::StartResult (soft::Channel::*)(const soft::OutboundRequest&);

    soft::StartResult start_by(Starter starter, const soft::OutboundRequest& request) EXCLUDES(mutex_);
    void tell(const soft::OutboundRequest& request, std::optional<std::uint32_t> immediate = {}) EXCLUDES(mutex_);
    void tell_outcome(const soft::OutboundRequest& request, const soft::StartResult& result) EXCLUDES(mutex_);
    void tell_answer(const Read& read) REQUIRES(mutex_);
    void tell_refusal(Operation operation, Status status) const EXCLUDES(mutex_);
    void tell_terminate(End from, Operation operation, Status status) const EXCLUDES(mutex_);
    void tell_end(End first) EXCLUDES(mutex_);
    void find_answers(std::uint32_t reads_in_flight) EXCLUDES(mutex_);
    End own() const { return facts_.active ? End::active : End::passive; }
    bool is_recorded() const REQUIRES(mutex_);
    void leave_capture() const REQUIRES(mutex_);

    // Constant after construction.
    const soft::ConnectionFacts facts_;
    Captures& captures_;

    // Owned by the thread in start().
    bool begun_ = false;  // the request that start() continues has been told

    // This mutex is taken after the queue pair's lock, before those of captures. The capture that has this connection
    // changes with the one that runs; a const function may find that.
    mutable Mutex mutex_;
    mutable Ref<Capture> capture_ GUARDED_BY(mutex_);
    mutable Ref<Flow> flow_ GUARDED_BY(mutex_);  // null: not captured
    std::deque<Read> reads_ GUARDED_BY(mutex_);
    std::uint32_t unknown_reads_ GUARDED_BY(mutex_) = 0;  // in flight when this came
    bool closed_ GUARDED_BY(mutex_) = false;
    bool abandoned_ GUARDED_BY(mutex_) = false;  // a start: its request's memory is the program's again
};

}  // namespace opennd::capture
