// SPDX-License-Identifier: MIT
// An event as Windows knows it, with an eventfd beside it once a program polls.
#pragma once

#include <optional>
#include <vector>

#include "base/ref.h"
#include "base/result.h"
#include "platform/descriptor/doorbell.h"
#include "platform/process/clock.h"
#include "platform/waiting/wait_point.h"

namespace opennd {

// Manual: stays signalled until reset(). Automatic: lets one waiter through.
enum class EventReset { manual, automatic };

// Thread-safe. Programs for Windows make events by the thousand: an event has a descriptor only once descriptor() was
// called. The descriptor lives as long as the object, thus longer than its handle while a request refers to it
// (ND2-OVL-06).
class Event final : public HandleObject {
public:
    static constexpr HandleKind kKind = HandleKind::event;

    Event(EventReset reset, bool signalled) : reset_(reset), signalled_(signalled) {}

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

    // Borrowed; polls readable while signalled. insufficient_resources: no descriptor left; no_memory.
    Result<int> descriptor();

private:
    void put_signal(bool signalled) REQUIRES(mutex_);

    const EventReset reset_;
    Mutex mutex_;
    bool signalled_ GUARDED_BY(mutex_);
    WaitPoint waiters_ GUARDED_BY(mutex_);
    Doorbell readable_ GUARDED_BY(mutex_);  // none until descriptor(), the same from then on
};

}  // namespace opennd
