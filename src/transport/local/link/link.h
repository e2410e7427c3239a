// SPDX-License-Identifier: MIT
// A link: all that two opens of adapters in two processes on one host share for their connections. One socket carries the
// records and the wake-ups of all, and ends with either process; one arena has the memory of all.
//
// The first request that one open accepts from the other makes the link, on the caller's socket: the side that was asked is the
// maker, the other the taker. Later requests are asked on it (links.h). Without connections it is kept for the next while both opens
// live.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/thread/event_loop.h"
#include "transport/local/link/arena.h"
#include "transport/local/link/control_message.h"
#include "transport/local/link/holdings.h"
#include "transport/local/link/line.h"
#include "transport/local/link/link_registry.h"
#include "transport/local/link/link_socket.h"
#include "transport/local/link/link_source.h"
#include "transport/local/link/namer.h"
#include "transport/local/link/outbox.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::local {

class Link final : public EventLoop::Spot, public NamedConnections {
public:
    // Makes the maker's side, from a request on `socket`, which it takes over if it succeeds, with the first connection.
    static Result<Ref<Line>> make(EventLoop& loop, Ref<LinkRegistry> links, const LinkEnds& ends,
                                  soft::OpenAdapter& own, LocalSocket& socket, ReceivedControl& request,
                                  Ref<LinkUser> user);
    // Makes the taker's side likewise, from the record `link`. `user` may be null: nobody wants the connection any more, and
    // the peer was told so on the socket.
    static Status take(EventLoop& loop, Ref<LinkRegistry> links, LinkEnds ends, LocalSocket& socket,
                       ReceivedControl& record, Ref<LinkUser> user);
    ~Link() override;

    // Asks the peer's listener, by a record of type `ask`. Statuses of LocalSocket::send; canceled: the link ends.
    Status ask(const ControlMessage& request) EXCLUDES(mutex_);
    // Answers a request on this link that gets no connection: `absent` or `busy`.
    void refuse(ControlType answer, std::uint64_t nonce) EXCLUDES(mutex_);
    // The peer's count of closed listeners: ArenaLayout::closings.
    std::uint32_t closings_there() const;
    // Counts a listener of this side that was closed.
    void tell_closing();
    pid_t peer_process() const { return ends_.process; }

    // Makes a further connection for a request with this nonce, heard here or elsewhere. canceled: the link is full, or
    // ends.
    Result<Ref<Line>> join(Ref<LinkUser> user, std::uint64_t nonce) EXCLUDES(mutex_);

    // Ends the link unless it has connections: then the last of these ends it, once Links has lost it. Any thread.
    void retire_if_idle() EXCLUDES(mutex_);

    // For the sources of crowds (link_source.h). Any thread.

    Names& names() const override { return arena_->names(side_); }
    // Makes a source for the crowd. Null: kCrowds have one each. Throws std::bad_alloc.
    Ref<LinkSource> add_source(soft::Crowd& crowd) EXCLUDES(sources_mutex_);
    void remove_source(std::uint32_t number) override EXCLUDES(sources_mutex_);
    void nudge() override;
    void later(std::chrono::milliseconds delay, std::function<void()> work) override;

    void on_ready(std::uint32_t epoll_events) override EXCLUDES(mutex_);
    // The thread that looks watches the bell and the marks.
    void begin_look() override { socket_.begin_look(); }
    void end_look() override { socket_.end_look(); }
    bool shows_work() const override { return socket_.is_rung() || arena_->news(side_).any(); }
    void do_work() override EXCLUDES(mutex_);

private:
    friend class Line;
    enum Side : std::uint32_t { maker = 0, taker = 1 };
    // The state of one connection's number. The side in its lowest bit accepted the connection, and alone gives the
    // number again.
    struct Entry {
        Ref<LinkUser> user;          // until leave()
        bool open_here = false;      // this side has not left it
        bool said_farewell = false;  // and has said nothing since
        bool held_here = false;      // this side may touch its segment
        bool open_there = false;     // the peer has not said farewell
        bool held_there = false;     // a number of this side: the peer has not released it
        // The memory of the connection before, which the peer may still read: until it has released the number, or
        // gives it again.
        std::unique_ptr<Holdings> holdings = {};

        // Returns true once the last record about the connection has been sent or heard. A side that has heard one says
        // none of its own.
        bool is_over() const { return !open_here || said_farewell || !open_there; }
    };

    // `sent` is that of LinkSocket.
    Link(EventLoop& loop, Ref<LinkRegistry> links, const LinkEnds& ends, Side side, LocalSocket socket,
         soft::PeerTokenTable peer_tokens, Ref<Arena> arena, Ref<LinkMemory> memory, Namer::History history,
         std::uint32_t sent);
    Status begin(int watched_until_now) EXCLUDES(mutex_);
    Side peer() const { return side_ == maker ? taker : maker; }
    static Side owner_of(std::uint32_t number) { return static_cast<Side>(number % 2); }

    Result<std::uint32_t> next_number() REQUIRES(mutex_);
    void keep(std::uint32_t number, std::unique_ptr<Holdings> holdings) EXCLUDES(mutex_);
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
    void send_waiting() REQUIRES(mutex_);
    void hear_all();
    bool wake(std::uint32_t number, bool again);
    void name(std::uint32_t number, std::uint32_t crowds);
    bool polls_any(std::uint32_t crowds) const;
    void count_polled(std::uint32_t number, bool polled);

    bool hear_packet() EXCLUDES(mutex_);
    bool take_packet() EXCLUDES(mutex_);
    void handle(ReceivedControl& received) EXCLUDES(mutex_);
    void handle_join(const ControlMessage& message) EXCLUDES(mutex_);
    void handle_ask(ReceivedControl& received) EXCLUDES(mutex_);
    void handle_refusal(ReceivedControl& received) EXCLUDES(mutex_);
    void tell_askers() EXCLUDES(mutex_);
    void handle_release(const ControlMessage& message) EXCLUDES(mutex_);
    void handle_retire() EXCLUDES(mutex_);
    void pass_on(ReceivedControl& received) EXCLUDES(mutex_);
    void deliver_news() EXCLUDES(mutex_);
    void deliver_names() EXCLUDES(mutex_, sources_mutex_);
    void wake_user(std::uint32_t number) EXCLUDES(mutex_);
    void break_off(std::string_view what) EXCLUDES(mutex_);
    void end() EXCLUDES(mutex_);

    // Constant after construction.
    EventLoop& loop_;
    const Ref<LinkRegistry> links_;
    const LinkEnds ends_;
    const Side side_;
    const soft::PeerTokenTable peer_tokens_;
    const Ref<Arena> arena_;
    const Ref<LinkMemory> memory_;  // of this side
    Namer namer_;                   // of the peer's names

    // The socket. Any thread sends; one receives, under mutex_. It is shut down at the end, and closed with the last
    // reference.
    LinkSocket socket_;

    // True while the service thread is between the receipt of a packet and the end of its handling. Stored before the
    // receipt, with a full barrier in between; a thread that finds no packet in the socket loads it behind one.
    std::atomic<bool> hears_{false};

    std::atomic<KernelCopies> kernel_copies_{KernelCopies::untried};  // Line::kernel_copies()

    // This side's connections outside crowds that had a poller since the peer nudged last.
    NewsMarks had_pollers_;

    // A crowd of this side. `taken`: the names that earlier crowds of this number took. Nothing is called under the
    // mutex.
    struct Source {
        Ref<LinkSource> source;  // null: none
        std::uint64_t taken = 0;
    };
    Mutex sources_mutex_;
    std::array<Source, kCrowds> sources_ GUARDED_BY(sources_mutex_);

    Mutex mutex_;                                             // held for one send on the socket
    std::vector<Entry> entries_ GUARDED_BY(mutex_);           // by number
    std::vector<std::uint32_t> freed_ GUARDED_BY(mutex_);     // numbers of this side to be used again
    std::vector<std::uint32_t> released_ GUARDED_BY(mutex_);  // the peer's, which has not been told yet
    std::uint32_t never_used_ GUARDED_BY(mutex_) = 0;         // indices of this side from here on
    std::uint32_t open_ GUARDED_BY(mutex_) = 0;               // entries with open_here
    Outbox outbox_ GUARDED_BY(mutex_);
    bool retired_ GUARDED_BY(mutex_) = false;  // begins no further connection
    bool peer_retired_ GUARDED_BY(mutex_) = false;
    bool ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace opennd::local
