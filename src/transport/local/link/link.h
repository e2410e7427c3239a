// SPDX-License-Identifier: MIT
// A link: all that two opens of adapters in two processes on one host share for their connections. One socket carries the
// records and the wake-ups of all, and ends with either process; arenas hold the segments of all.
//
// The first request that one open accepts from the other makes the link, on the caller's socket: the side that was asked is the
// maker, the other the taker. Later requests find it (links.h). Without connections it is kept for the next while both opens live.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/descriptor/local_socket.h"
#include "platform/thread/event_loop.h"
#include "transport/local/link/arena.h"
#include "transport/local/link/control_message.h"
#include "transport/local/link/links.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::local {

class Line;

// The owner of one connection's end. Called on the service thread, with no lock of the link held.
class LinkUser : public RefCounted {
public:
    // The request has a connection now. To be called before any other.
    virtual void on_joined(const Ref<Line>& line) = 0;
    virtual void on_record(ReceivedControl& record) = 0;
    // There may be news in the segment.
    virtual void on_wake_up() = 0;
    // The peer says no more about this connection, or its process has ended: `disconnected`. Or it never began, for another reason.
    virtual void on_left(Status why) = 0;
};

// One connection's end: what a connector and its channel have of a link. The last reference gives the segment back.
class Line final : public RefCounted {
public:
    Line(Ref<Link> link, std::uint32_t number, Ref<Arena> arena, Segment& segment);
    ~Line() override;

    // Whole or not at all, in order. Waits in this process while the socket is full. As LocalSocket::send; disconnected also
    // after leave().
    Status send(ControlMessage message, std::span<const int> descriptors = {});
    // Nothing more is sent or heard. Once; any thread.
    void leave();

    // Wakes the peer's service thread for news in the segment. Any thread. Never blocks, in any state of the socket: each
    // call is non-blocking by itself. False: the wake-up failed; any later message wakes the peer. wake_again() sends
    // nothing while the peer has unread messages, so that wake-ups never fill the socket.
    bool wake();
    bool wake_again();

    // Packets of the link wait or are being heard, maybe of this connection; look() hears them. On the service thread, or with look() following there.
    bool has_packets() const;
    void look();

    Segment& segment() const { return segment_; }
    const Ref<Arena>& arena() const { return arena_; }
    soft::PeerTokenTable peer_tokens() const;
    pid_t peer_process() const;
    // The tokens that the peer has from the link.
    bool has_tokens_of(const soft::OpenAdapter& own) const;

private:
    const Ref<Link> link_;
    const std::uint32_t number_;
    const Ref<Arena> arena_;
    Segment& segment_;
    std::atomic<bool> left_{false};  // relaxed: a late wake-up costs one look
};

class Link final : public EventLoop::Watcher {
public:
    // Connections at a time: kMostConnections / 2 that each side accepted.
    static constexpr std::uint32_t kMostConnections = NewsMarks::kBits;

    // The maker, from a request on `socket`, which it takes over if it succeeds, with the first connection.
    static Result<Ref<Line>> make(EventLoop& loop, Ref<Links> links, const Links::Ends& ends, soft::OpenAdapter& own,
                                  LocalSocket& socket, ReceivedControl& request, Ref<LinkUser> user);
    // The taker, from the record `link`; likewise. `user` may be null: nobody wants the connection any more, and
    // the peer was told so on the socket.
    static Status take(EventLoop& loop, Ref<Links> links, Links::Ends ends, LocalSocket& socket,
                       ReceivedControl& record, Ref<LinkUser> user);
    ~Link() override;

    // A further connection for a request with this nonce that was heard elsewhere. canceled: the link is full, or ends.
    Result<Ref<Line>> join(Ref<LinkUser> user, std::uint64_t nonce) EXCLUDES(mutex_);

    // Ends unless there are connections: they end it when they leave, if nobody finds it any more. Any thread.
    void retire_if_idle() EXCLUDES(mutex_);

    void on_ready(std::uint32_t epoll_events) override EXCLUDES(mutex_);

private:
    friend class Line;
    enum Side : std::uint32_t { maker = 0, taker = 1 };
    // One connection's number: accepted by the side in its lowest bit, which alone gives it again.
    struct Entry {
        Ref<LinkUser> user;          // until leave()
        bool open_here = false;      // this side has not left it
        bool said_farewell = false;  // and nothing since
        bool held_here = false;      // this side may touch its segment
        bool open_there = false;     // the peer has not said farewell
        bool held_there = false;     // a number of this side: the peer has not released it
    };
    static constexpr std::size_t kMostDescriptors = 2;  // of a record
    struct Waiting {
        ControlMessage message;
        std::array<Descriptor, kMostDescriptors> descriptors;
        std::size_t descriptor_count = 0;
    };

    Link(EventLoop& loop, Ref<Links> links, const Links::Ends& ends, Side side, LocalSocket socket,
         soft::PeerTokenTable peer_tokens, Ref<Arena> first);
    Status begin(int watched_until_now) EXCLUDES(mutex_);
    Side peer() const { return side_ == maker ? taker : maker; }
    static Side owner_of(std::uint32_t number) { return static_cast<Side>(number % 2); }
    const Ref<Arena>& arena_of(std::uint32_t number) const REQUIRES(mutex_) {
        return arenas_[owner_of(number)][number / 2 / ArenaLayout::kSegments];
    }

    Result<std::uint32_t> next_number() REQUIRES(mutex_);
    Ref<Line> occupy(std::uint32_t number, Ref<LinkUser> user) REQUIRES(mutex_);
    Ref<Line> adopt(std::uint32_t number, Ref<LinkUser> user) EXCLUDES(mutex_);
    void have_said_farewell(std::uint32_t number) EXCLUDES(mutex_);
    static void decline(Line& line);
    void leave(std::uint32_t number) EXCLUDES(mutex_);
    void release(std::uint32_t number) EXCLUDES(mutex_);
    void free_if_released(std::uint32_t number) REQUIRES(mutex_);
    void retire() REQUIRES(mutex_);
    void begin_no_further() REQUIRES(mutex_);
    void hang_up_if_done() REQUIRES(mutex_);

    Status send_about(std::uint32_t number, ControlMessage& message, std::span<const int> descriptors) EXCLUDES(mutex_);
    Status send_locked(const ControlMessage& message, std::span<const int> descriptors = {}) REQUIRES(mutex_);
    bool add_waiting(const ControlMessage& message) REQUIRES(mutex_);
    Status keep(const ControlMessage& message, std::span<const int> descriptors) REQUIRES(mutex_);
    void send_waiting() REQUIRES(mutex_);
    void hear_all();
    bool wake(std::uint32_t number, bool again);

    bool hear_packet() EXCLUDES(mutex_);
    bool take_packet() EXCLUDES(mutex_);
    void handle(ReceivedControl& received) EXCLUDES(mutex_);
    void handle_join(const ControlMessage& message) EXCLUDES(mutex_);
    void handle_arena(ReceivedControl& received) EXCLUDES(mutex_);
    void handle_release(const ControlMessage& message) EXCLUDES(mutex_);
    void handle_retire() EXCLUDES(mutex_);
    void pass_on(ReceivedControl& received) EXCLUDES(mutex_);
    void deliver_news() EXCLUDES(mutex_);
    void break_off(std::string_view what) EXCLUDES(mutex_);
    void end() EXCLUDES(mutex_);

    // Constant after construction.
    EventLoop& loop_;
    const Ref<Links> links_;
    const Links::Ends ends_;
    const Side side_;
    const soft::PeerTokenTable peer_tokens_;
    const Ref<Arena> first_;  // the maker's, with the marks of both sides

    // Sent to by any thread, received from under mutex_; shut down at the end, and closed with the last reference.
    LocalSocket socket_;

    // The service thread is between the receipt of a packet and the end of its handling. Sequentially consistent, with the socket.
    std::atomic<bool> hears_{false};

    static constexpr std::uint32_t kMostArenas = kMostConnections / 2 / ArenaLayout::kSegments;
    Mutex mutex_;                                                       // held for one send on the socket
    std::array<std::vector<Ref<Arena>>, 2> arenas_ GUARDED_BY(mutex_);  // by the side that made them
    std::vector<Entry> entries_ GUARDED_BY(mutex_);                     // by number
    std::vector<std::uint32_t> freed_ GUARDED_BY(mutex_);               // numbers of this side to be used again
    std::vector<std::uint32_t> released_ GUARDED_BY(mutex_);            // the peer's, which has not been told yet
    std::uint32_t never_used_ GUARDED_BY(mutex_) = 0;                   // indices of this side from here on
    std::uint32_t open_ GUARDED_BY(mutex_) = 0;                         // entries with open_here
    std::deque<Waiting> waiting_ GUARDED_BY(mutex_);                    // records for which the socket had no room
    bool retired_ GUARDED_BY(mutex_) = false;                           // begins no further connection
    bool peer_retired_ GUARDED_BY(mutex_) = false;
    bool ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace opennd::local
