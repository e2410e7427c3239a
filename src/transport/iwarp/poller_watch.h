// SPDX-License-Identifier: MIT
// Finds pollers that have stopped: while a thread polls a connection its socket wakes no thread, and a program need not announce
// that it stops. One timer for any number of connections (docs/decisions/0014).
#pragma once

#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/thread/event_loop.h"

namespace opennd::iwarp {

class IwarpChannel;

class PollerWatch final : public RefCounted {
public:
    PollerWatch();
    ~PollerWatch() override;

    // Calls IwarpChannel::find_idle_poller() every few milliseconds, on the service thread, until it is false. A channel adds
    // itself once until then. Any thread.
    void add(EventLoop& loop, Ref<IwarpChannel> channel) EXCLUDES(mutex_);
    // Forgets all channels, since these hold this object.
    void clear() EXCLUDES(mutex_);

private:
    void schedule(EventLoop& loop);
    void ask_all(EventLoop& loop) EXCLUDES(mutex_);

    Mutex mutex_;  // no channel is called under it
    std::vector<Ref<IwarpChannel>> channels_ GUARDED_BY(mutex_);
    bool running_ GUARDED_BY(mutex_) = false;  // the timer is
};

}  // namespace opennd::iwarp
