// SPDX-License-Identifier: MIT
// Who reads the socket of a TCP channel: pollers, each for itself or for a crowd, or the loop, which watches for arrivals or looks
// for them. Read transport/soft/channel/peer_attention.h first.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/thread/event_loop.h"
#include "platform/thread/look_pacing.h"
#include "transport/iwarp/poller_watch.h"
#include "transport/iwarp/socket_source.h"
#include "transport/iwarp/stream_state.h"
#include "transport/soft/channel/peer_attention.h"

namespace opennd::iwarp {

// The connection that a channel belongs to. Called on the service thread, with no lock held. As a looker it serves the queue pair
// while the channel looks_on().
class ChannelOwner : public EventLoop::Looker {
public:
    // Serve the queue pair, and act on an end of the stream.
    virtual void revisit() = 0;
    // A poller stopped silently, and arrivals had to wait until PollerWatch found out.
    virtual void poller_left() = 0;
};

class Watching {
public:
    // `pollers`: of all connections.
    Watching(StreamState& stream, Ref<ChannelOwner> owner, Ref<PollerWatch> pollers);

    // The loop watches the socket as a stream's from now on.
    void begin() EXCLUDES(mutex_);
    // The owner is called no more, and the loop watches the socket no more.
    void stop() EXCLUDES(mutex_);
    // The loop that watches the socket, at first that of the stream. Any thread.
    EventLoop& loop() const { return *watched_in_.load(std::memory_order_relaxed); }
    // PeerAttention explains this.
    void move_to(EventLoop& to) EXCLUDES(mutex_);
    // The owner serves the queue pair soon.
    void tell_owner() EXCLUDES(mutex_);

    soft::Attention attention() const { return attention_.load(std::memory_order_relaxed); }
    // PeerAttention explains these three.
    soft::Attention set_attention(soft::Attention attention) EXCLUDES(mutex_);
    bool join(soft::Crowd& crowd, soft::Place place) EXCLUDES(mutex_);
    void leave(soft::Crowd& crowd) EXCLUDES(mutex_);

    // A thread polls all the time: the channel itself, or each crowd of it.
    bool is_polled() EXCLUDES(mutex_) { return in_crowd() ? is_polled_in_crowds() : is_polled_alone(); }
    // Octets and receipts wait for the next poll: the source of a crowd has the poller come here. False: no thread polls any more, and
    // they must leave.
    bool keep() EXCLUDES(mutex_) { return !in_crowd() || keep_in_crowds(); }
    // The socket is full: the loop reports room from now on.
    void watch_room() EXCLUDES(mutex_);

    // The queue pair was served for an event: after a Read or Write of the peer, the loop may look for the next one from now on. In a
    // callback, as looks_on(); one of another loop than loop() looks for nothing.
    void begin_to_look() EXCLUDES(mutex_);
    // The queue pair was served in a look. False: it was the last one, and the loop watches the socket again.
    bool looks_on() EXCLUDES(mutex_);

    // The thread in receive() tells that it begins, that it has taken a Read or Write of the peer, and whether it leaves work that
    // needs no arrival.
    void count_receive() { receives_.store(receives_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
    void count_one_sided() {
        one_sided_.store(one_sided_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
    void note_left(bool unfinished) {
        unfinished_.store(unfinished, std::memory_order_relaxed);
        if (unfinished && needs_watch()) keep_watch();
    }
    // The newest receive() left such work.
    bool has_unfinished() const { return unfinished_.load(std::memory_order_relaxed); }

private:
    bool in_crowd() const { return crowds_.load(std::memory_order_relaxed) != 0; }
    bool is_polled_alone() const { return attention() == soft::Attention::polling; }
    bool is_polled_in_crowds() EXCLUDES(mutex_);
    bool keep_in_crowds() EXCLUDES(mutex_);
    void watch_again() REQUIRES(mutex_);
    bool may_look() const;
    bool has_served();
    void set_looks(bool looks) EXCLUDES(mutex_);
    void keep_watch();
    bool needs_watch() const;
    bool find_idle_poller() EXCLUDES(mutex_);
    Ref<ChannelOwner> owner() EXCLUDES(mutex_);

    StreamState& stream_;
    const Ref<PollerWatch> pollers_;

    // Sequentially consistent where it changes; relaxed for a reader, which is late at worst.
    std::atomic<soft::Attention> attention_{soft::Attention::asleep};
    std::atomic<std::uint32_t> receives_{0};  // calls of receive(); relaxed, it stands alone
    // left_work() is a part of that. Relaxed: docs/orderings.md has the way to find_idle_poller().
    std::atomic<bool> unfinished_{false};
    std::atomic<bool> kept_watch_{false};  // pollers_ has this channel, and calls find_idle_poller()
    std::uint32_t receives_seen_ = 0;      // owned by find_idle_poller()
    // Reads and Writes of the peer that were taken. Relaxed: it tells whether there were any.
    std::atomic<std::uint32_t> one_sided_{0};
    std::uint32_t one_sided_seen_ = 0;  // owned by the turns of the loop, and so the next one
    LookPacing::Place look_;

    Mutex mutex_;  // only the loop and sources are called under it
    Ref<ChannelOwner> owner_ GUARDED_BY(mutex_);
    enum class Loop : std::uint8_t {
        absent,   // before begin(), and after stop()
        watches,  // for arrivals, unless a thread polls
        looks,    // and watches for the end alone
    };
    // Written under mutex_; relaxed: a reader that is late asks the loop of before.
    std::atomic<EventLoop*> watched_in_;
    std::atomic<Loop> loop_{Loop::absent};   // written under mutex_; relaxed
    std::atomic<bool> watches_room_{false};  // for good, since the socket was full once. Written under mutex_; relaxed
    // A queue pair has two completion queues at most.
    struct Membership {
        Ref<SocketSource> source;
        soft::Place place{};
    };
    std::array<Membership, 2> memberships_ GUARDED_BY(mutex_);
    std::atomic<std::uint32_t> crowds_{0};  // memberships. Written under mutex_; relaxed: only a hint
};

}  // namespace opennd::iwarp
