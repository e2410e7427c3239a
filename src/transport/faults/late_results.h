// SPDX-License-Identifier: MIT
// Results of requests that the wire has carried out, and that the initiator is to hear of later.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/lock.h"
#include "platform/process/clock.h"
#include "transport/soft/channel/channel.h"

namespace opennd::faults {

// Any thread.
class LateResults {
public:
    // The result of a start that was in flight, or done with success, as the initiator hears of it: in flight, and not over before
    // `due` while `plan` is in force. Throws std::bad_alloc.
    soft::StartResult hide(const soft::StartResult& result, SteadyTime due, std::uint64_t plan) EXCLUDES(mutex_);

    // The state of a ticket under the plan that is in force.
    enum class Found : std::uint8_t {
        late,    // not over yet
        done,    // over: it was done when it was hidden
        of_wire  // the wire knows
    };
    Found find(soft::Ticket ticket, std::uint64_t plan) EXCLUDES(mutex_);

    // Leaves all results to the wire, and all that come.
    void reveal() EXCLUDES(mutex_);

    // Returns the moment at which the oldest result is due; none if no result is late. Relaxed: a reader that is late
    // looks once too often.
    std::optional<SteadyTime> next() const;

private:
    struct Late {
        soft::Ticket ticket;
        SteadyTime due;
        std::uint64_t plan;
        bool done;
    };
    void note_next() REQUIRES(mutex_);

    static constexpr SteadyTime kNone = SteadyTime::max();

    mutable Mutex mutex_;                        // nothing is called under it
    std::vector<Late> late_ GUARDED_BY(mutex_);  // in the order of their starts
    std::uint64_t hidden_ GUARDED_BY(mutex_) = 0;
    bool revealed_ GUARDED_BY(mutex_) = false;
    std::atomic<SteadyTime> next_{kNone};  // written under mutex_
};

}  // namespace opennd::faults
