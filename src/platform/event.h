// SPDX-License-Identifier: MIT
// An event as Windows knows it, over an eventfd, so that programs can poll it too.
#pragma once

#include <optional>
#include <utility>

#include "base/ref.h"
#include "base/result.h"
#include "platform/clock.h"
#include "platform/descriptor.h"
#include "platform/handle_object.h"

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
    //   timed_out       not signalled by then
    //   internal_error  the kernel refused to poll; logged
    Status wait(std::optional<SteadyTime> deadline);

    // Borrowed; polls readable while signalled.
    int descriptor() const { return fd_.get(); }

private:
    Event(EventReset reset, Descriptor fd) : reset_(reset), fd_(std::move(fd)) {}
    bool take_signal();

    const EventReset reset_;
    const Descriptor fd_;
};

}  // namespace opennd
