// SPDX-License-Identifier: MIT
// An event as Windows knows it, with an eventfd beside it for programs that poll.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/ref.h"
#include "base/result.h"
#include "platform/clock.h"
#include "platform/doorbell.h"
#include "platform/handle_object.h"
#include "platform/wait_point.h"

namespace opennd {

// Manual: stays signalled until reset(). Automatic: lets one waiter through.
enum class EventReset { manual, automatic };

// Thread-safe. The descriptor lives as long as the object, thus longer than its handle while a request refers to it
// (ND2-OVL-06).
class Event final : public HandleObject {
public:
    static constexpr HandleKind kKind = HandleKind::event;

    // insufficient_resources: no descriptor left; no_memory.
    static Result<Ref<Event>> create(EventReset reset, bool signalled);

    HandleKind kind() const override { return kKind; }

    // Signals; no effect if signalled.
    void set();
    // Takes the signal away; no effect if there is none.
    void reset();

    // Waits until signalled; nullopt waits without limit, a deadline in the past looks once. An automatic event is
    // reset by the one wait that succeeds. Signals of the process do not end the wait.
    //   timed_out  not signalled by then
    Status wait(std::optional<SteadyTime> deadline);

    // Takes the signal of every event, as wait() would, or of none; each event counts once, however often it is named.
    //   timed_out  not all are signalled
    static Status take_all(std::vector<Ref<Event>> events);

    // Borrowed; polls readable while signalled. Events whose descriptor nobody asked for do not pay for keeping it true.
    int descriptor();

private:
    Event(EventReset reset, bool signalled, Doorbell readable)
        : reset_(reset), signalled_(signalled), readable_(std::move(readable)) {}
    void put_signal(bool signalled) REQUIRES(mutex_);

    const EventReset reset_;
    Mutex mutex_;
    bool signalled_ GUARDED_BY(mutex_);
    bool descriptor_in_use_ GUARDED_BY(mutex_) = false;
    WaitPoint waiters_ GUARDED_BY(mutex_);
    Doorbell readable_;  // constant; rung and cleared under mutex_, once descriptor_in_use_
};

}  // namespace opennd
