// SPDX-License-Identifier: MIT
// Seam: where a transport leaves the outcomes of requests.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/ref.h"
#include "base/status.h"
#include "model/completion.h"
#include "model/processor_group.h"

namespace opennd {

// Implemented by core. Called by the thread that made the progress, maybe in a turn of the loop. No transport lock is held
// but that of the sink, for which close() waits: the sink does not call close().
class CompletionQueueSink {
public:
    // A completion that matches the armed kind was added. The queue is disarmed by then.
    virtual void on_completion_event(NotifyKind kind) = 0;
    // The queue has no room: it is dead for good, and its queue pairs are (ND2-CQ-OVR-01). Called once; the transport
    // has logged the limit.
    virtual void on_overrun() = 0;
    // The processors on which the program wants events: a hint, asked for once, as the queue is made (ND2-ADP-CQ-02, NDK-GEN-23).
    virtual ProcessorGroup processors() const { return {}; }

protected:
    ~CompletionQueueSink() = default;
};

// Completions in the queue. Arrivals that the engine has not handled yet are not counted.
struct WaitingCompletions {
    std::size_t all = 0;
    std::size_t solicited = 0;  // of them; failed ones are
};

// The thread that polls a completion queue, for a look into the process.
struct Poller {
    int thread;                                            // the system's number of the thread that polled last
    std::optional<std::chrono::nanoseconds> since_result;  // since a poll took one; nothing: none has
};

class TransportCompletionQueue : public RefCounted {
public:
    // Moves up to completions.size() oldest completions out, oldest first, and makes progress on every attached queue pair
    // (ND2-CQ-GET-06). Any thread, any number at a time; never blocks. Returns how many were moved.
    virtual std::size_t poll(std::span<Completion> completions) = 0;

    // Arms for one event of this kind or a dominating one. If the queue has a completion already that counts by its
    // NotifyRule (ND2-CQ-NTF-02), the event is delivered before arm returns. While armed, progress needs no caller
    // (ND2-CQ-NTF-09).
    virtual void arm(NotifyKind kind) = 0;
    // Disarms, because no request waits for an event any more. An event that is due already still comes. The caller may
    // hold a lock that the sink takes.
    virtual void disarm() = 0;

    // Lets a device hold events back until `count` completions have come or `interval` is over; an interval of 0 ends that. Returns
    // false if no device does so, and nothing has changed. Polls see completions as ever. One call at a time.
    virtual bool moderate(std::chrono::microseconds, std::uint32_t) { return false; }

    // Counts the completions in the queue. Any thread. The caller may hold a lock that the sink takes: an event that is
    // found comes later.
    virtual WaitingCompletions count_waiting() = 0;

    // Makes room for `depth` completions, a number of the program (ND2-CQ-RSZ-01). overrun: more are waiting now.
    virtual Status resize(std::uint32_t depth) = 0;

    // Returns the thread that polls; nothing if it is not recorded, or nobody has polled. Any thread.
    virtual std::optional<Poller> poller() const { return std::nullopt; }
    // Returns the number of the event loop that takes its arrivals over sockets; nothing if there are none. Any thread.
    virtual std::optional<std::size_t> loop() const { return std::nullopt; }

    // The core object is closed: no further call to the sink after this returns; later completions are dropped
    // (ND2-CQ-REL-01).
    virtual void close() = 0;

    // Sets the number of the queue among those of the process, for texts. Once, before its first use.
    virtual void set_number(std::uint32_t) {}
};

}  // namespace opennd
