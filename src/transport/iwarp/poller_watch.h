// SPDX-License-Identifier: MIT
// Finds pollers that have stopped: while a thread polls a connection its socket wakes no thread, and a program need not announce
// that it stops. One timer for any number of connections (docs/decisions/0014).
#pragma once

#include <functional>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/thread/event_loop.h"

namespace opennd::iwarp {

class PollerWatch final : public RefCounted {
public:
    PollerWatch();
    ~PollerWatch() override;

    // Looks for an idle poller, and does its work. False: there is none to look for any more.
    using Search = std::function<bool()>;
    // Calls `search` every few milliseconds, on the service thread, until it is false. Any thread.
    void add(EventLoop& loop, Search search) EXCLUDES(mutex_);
    // Forgets all searches, since these hold this object.
    void clear() EXCLUDES(mutex_);

private:
    void schedule(EventLoop& loop);
    void ask_all(EventLoop& loop) EXCLUDES(mutex_);

    Mutex mutex_;  // no search is called under it
    std::vector<Search> searches_ GUARDED_BY(mutex_);
    bool running_ GUARDED_BY(mutex_) = false;  // the timer is
};

}  // namespace opennd::iwarp
