// SPDX-License-Identifier: MIT
// The one service thread: sleeps in epoll, runs watchers, posted functions and timers. Progress that no caller drives
// (ND2-OVL-24) happens here.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "base/status.h"
#include "platform/clock.h"
#include "platform/descriptor.h"
#include "platform/doorbell.h"
#include "platform/timer_queue.h"

namespace opennd {

// Thread-safe. The thread, named "opennd" and with all signals blocked, starts with the first add, post or schedule.
// Every callback runs on it, one at a time, without any lock of the loop held: callbacks may call back into the loop,
// and must not block or throw.
class EventLoop {
public:
    class Watcher : public RefCounted {
    public:
        // `epoll_events`: EPOLLIN and so on, EPOLLERR and EPOLLHUP unasked. Level-triggered: called again while it
        // lasts.
        virtual void on_ready(std::uint32_t epoll_events) = 0;
    };

    // What most watchers wait for (EPOLLIN).
    static constexpr std::uint32_t kReadable = 1;

    explicit EventLoop();
    // Stops and joins the thread; functions that have not run are destroyed without running. Not from a callback, and
    // not while another thread calls into the loop. The process-wide loop is never destroyed.
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    // Calls `watcher` whenever `fd` is ready for any of `epoll_events`. The loop holds the Ref until remove(). `fd`
    // stays the caller's, who removes it before closing it.
    //   invalid_parameter       fd is not open, or cannot be polled (a regular file)
    //   invalid_state           fd is watched already
    //   insufficient_resources  no descriptor, thread or epoll watch left
    //   no_memory
    Status add(int fd, std::uint32_t epoll_events, Ref<Watcher> watcher);

    // Changes what a watched `fd` waits for. invalid_parameter: not watched.
    Status modify(int fd, std::uint32_t epoll_events);

    // Ends watching; no effect if `fd` is not watched. On the service thread no further call follows. From another
    // thread one call that began before may still be running when this returns; it holds its own Ref.
    void remove(int fd);

    // Runs `function` soon, in the order posted.
    void post(std::function<void()> function);

    // Runs `function` at `when` or as soon after as possible (up to a millisecond late by design); at once if it has
    // passed. Several due functions run in the order of their times.
    TimerId schedule(SteadyTime when, std::function<void()> function);

    // Best effort: the function may be running, or be about to, when this returns on another thread. On the service
    // thread it does not run any more. No effect for a timer that has run.
    void cancel(TimerId timer);

    bool on_loop_thread() const;

private:
    Status start() REQUIRES(mutex_);
    Status open_descriptors() REQUIRES(mutex_);
    Status start_thread() REQUIRES(mutex_);
    void wake();
    static void* thread_main(void* loop);
    bool run_once();
    int timeout_ms() const REQUIRES(mutex_);
    void dispatch(std::uint64_t watch_id, std::uint32_t epoll_events);
    void run_posted();
    void run_due_timers();

    Mutex mutex_;
    bool started_ GUARDED_BY(mutex_) = false;
    bool stopping_ GUARDED_BY(mutex_) = false;
    std::uint64_t last_watch_id_ GUARDED_BY(mutex_) = 0;  // 0 is wake_'s own
    // By watch id, which epoll hands back: a descriptor number may be reused, an id is not.
    std::unordered_map<std::uint64_t, Ref<Watcher>> watches_ GUARDED_BY(mutex_);
    std::unordered_map<int, std::uint64_t> ids_by_fd_ GUARDED_BY(mutex_);
    std::vector<std::function<void()>> posted_ GUARDED_BY(mutex_);
    TimerQueue timers_ GUARDED_BY(mutex_);

    // Constant once started_.
    Descriptor epoll_;
    Doorbell wake_;
    pthread_t thread_{};
};

}  // namespace opennd
