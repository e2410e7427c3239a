// SPDX-License-Identifier: MIT
// The sockets of a crowded completion queue in one set of the kernel's: it names those with arrivals, room or ends. A poller asks the
// set, or the service thread watches it as one descriptor (docs/decisions/0042).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/lock.h"
#include "platform/descriptor/socket_set.h"
#include "platform/thread/event_loop.h"
#include "transport/iwarp/poller_watch.h"
#include "transport/soft/channel/ready_source.h"

namespace opennd::iwarp {

class SocketSource final : public soft::ReadySource {
public:
    // Returns null if no descriptor is left, or no watch. `loop` outlives it. Throws std::bad_alloc.
    static Ref<SocketSource> create(EventLoop& loop, Ref<PollerWatch> pollers, soft::Crowd& crowd);

    void collect(soft::ReadyList& ready, soft::Asking asking) override EXCLUDES(kept_lock_);
    void set_attention(soft::Attention attention) override EXCLUDES(loop_mutex_);
    soft::Attention attention() const override { return attention_.load(); }
    void close() override EXCLUDES(crowd_mutex_, loop_mutex_);
    void move_to(EventLoop& loop) override EXCLUDES(loop_mutex_);

    // For the channels. add() under the list lock of the queue; the others by any thread.

    // Returns false if no watch is left. Throws std::bad_alloc.
    bool add(int socket, soft::Place place) EXCLUDES(kept_lock_);
    // Before the socket is closed.
    void remove(int socket) { sockets_.remove(socket); }
    // Octets of a channel are left to the next poll, which then comes to `place`. False: no thread polls, and they must leave now.
    [[nodiscard]] bool keep(soft::Place place) EXCLUDES(kept_lock_);

private:
    class Watch;

    SocketSource(EventLoop& loop, Ref<PollerWatch> pollers, soft::Crowd& crowd, SocketSet sockets);
    Ref<soft::Crowd> crowd() const EXCLUDES(crowd_mutex_);
    void on_ready();
    void keep_watch();
    bool find_idle_poller();

    EventLoop& timers_;  // the loop in which pollers_ looks for pollers that have left
    const Ref<PollerWatch> pollers_;
    SocketSet sockets_;

    // Sequentially consistent: keep() and the thread that sets it to asleep, and then collects, do not both miss the other.
    std::atomic<soft::Attention> attention_{soft::Attention::asleep};

    Mutex loop_mutex_;  // one change of the interest in sockets_ at a time; the loop is called under it
    EventLoop* loop_ GUARDED_BY(loop_mutex_);  // watches sockets_

    SpinLock kept_lock_;  // nothing is called under it
    soft::ReadyList kept_ GUARDED_BY(kept_lock_);
    std::atomic<bool> keeps_{
        false};  // kept_ is not empty. Written under kept_lock_; sequentially consistent, as attention_

    mutable Mutex crowd_mutex_;                        // nothing is called under it
    Ref<soft::Crowd> crowd_ GUARDED_BY(crowd_mutex_);  // until close()
    std::atomic<bool> kept_watch_{false};              // pollers_ calls find_idle_poller()
    std::uint32_t polls_seen_ = 0;                     // owned by find_idle_poller()
};

}  // namespace opennd::iwarp
