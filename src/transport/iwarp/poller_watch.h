// SPDX-License-Identifier: MIT
// Finds pollers that have gone: while somebody polls a connection its socket wakes nobody, and a program need not say that
// it stops. One timer for all connections, however many are polled (docs/decisions/0014).
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

    // Asks the channel every few milliseconds, on the service thread, until it says that nobody need ask any more. A channel
    // adds itself once until then. Any thread.
    void add(EventLoop& loop, Ref<IwarpChannel> channel) EXCLUDES(mutex_);
    // Forgets them all: channels hold this object.
    void clear() EXCLUDES(mutex_);

private:
    void schedule(EventLoop& loop);
    void ask_all(EventLoop& loop) EXCLUDES(mutex_);

    Mutex mutex_;  // no channel is called under it
    std::vector<Ref<IwarpChannel>> channels_ GUARDED_BY(mutex_);
    bool running_ GUARDED_BY(mutex_) = false;  // the timer is
};

}  // namespace opennd::iwarp
