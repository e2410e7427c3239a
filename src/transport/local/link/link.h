// SPDX-License-Identifier: MIT
// A link: all that two opens of adapters in two processes on one host share for their connections. One socket carries the
// records and the wake-ups of all, and ends with either process; one arena has the memory of all.
//
// The first request that one open accepts from the other makes the link, on the caller's socket: the side that was asked is the
// maker, the other the taker. Later requests are asked on it (links.h). Without connections it is kept for the next while both opens
// live.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/thread/event_loop.h"
#include "transport/local/arena/arena.h"
#include "transport/local/arena/link_memory.h"
#include "transport/local/link/control_message.h"
#include "transport/local/link/link_connections.h"
#include "transport/local/link/link_crowds.h"
#include "transport/local/link/link_end.h"
#include "transport/local/link/link_registry.h"
#include "transport/local/link/link_socket.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::local {

class Link final : public EventLoop::Spot {
public:
    // Makes the maker's side, from a request on `socket`, which it takes over if it succeeds, with the first connection.
    static Result<Ref<LinkEnd>> make(EventLoop& loop, Ref<LinkRegistry> links, const LinkOpens& ends,
                                     soft::OpenAdapter& own, LocalSocket& socket, ReceivedControl& request,
                                     Ref<LinkUser> user);
    // Makes the taker's side likewise, from the record `link`. `user` may be null: nobody wants the connection any more, and
    // the peer was told so on the socket.
    static Status take(EventLoop& loop, Ref<LinkRegistry> links, LinkOpens ends, LocalSocket& socket,
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
    Result<Ref<LinkEnd>> join(Ref<LinkUser> user, std::uint64_t nonce) EXCLUDES(mutex_);

    // Ends the link unless it has connections: then the last of these ends it, once Links has lost it. Any thread.
    void retire_if_idle() EXCLUDES(mutex_);

    void on_ready(std::uint32_t epoll_events) override EXCLUDES(mutex_);
    // The thread that looks watches the bell and the marks.
    void begin_look() override { socket_.begin_look(); }
    void end_look() override { socket_.end_look(); }
    bool shows_work() const override { return socket_.is_rung() || arena_->news(side_).any(); }
    void on_work() override EXCLUDES(mutex_);

private:
    friend class LinkEnd;
    enum Side : std::uint32_t { maker = 0, taker = 1 };

    // `sent` is that of LinkSocket.
    Link(EventLoop& loop, Ref<LinkRegistry> links, const LinkOpens& ends, Side side, LocalSocket socket,
         soft::PeerTokenTable peer_tokens, Ref<Arena> arena, Ref<LinkMemory> memory, NameWriter::History history,
         std::uint32_t sent);
    Status begin(int watched_until_now) EXCLUDES(mutex_);
    Side peer() const { return side_ == maker ? taker : maker; }

    void keep(std::uint32_t number, std::unique_ptr<Holdings> holdings) EXCLUDES(mutex_);
    Ref<LinkEnd> occupy(std::uint32_t number, Ref<LinkUser> user) REQUIRES(mutex_);
    Ref<LinkEnd> adopt(std::uint32_t number, Ref<LinkUser> user) EXCLUDES(mutex_);
    void have_said_farewell(std::uint32_t number) EXCLUDES(mutex_);
    void leave(std::uint32_t number) EXCLUDES(mutex_);
    void release(std::uint32_t number) EXCLUDES(mutex_);
    void retire() REQUIRES(mutex_);
    void begin_no_further() REQUIRES(mutex_);
    void hang_up_if_done() REQUIRES(mutex_);

    Status send_about(std::uint32_t number, ControlMessage& message, std::span<const int> descriptors) EXCLUDES(mutex_);
    Status send_locked(const ControlMessage& message, std::span<const int> descriptors = {}) REQUIRES(mutex_);
    void send_waiting() REQUIRES(mutex_);

    void hear_all();
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
    void wake_user(std::uint32_t number) EXCLUDES(mutex_);
    void break_off(std::string_view what) EXCLUDES(mutex_);
    void end() EXCLUDES(mutex_);

    // Constant after construction.
    EventLoop& loop_;
    const Ref<LinkRegistry> links_;
    const LinkOpens ends_;
    const Side side_;
    const soft::PeerTokenTable peer_tokens_;
    const Ref<Arena> arena_;
    const Ref<LinkMemory> memory_;  // of this side

    // The socket. Any thread sends; one receives, under mutex_. It is shut down at the end, and closed with the last
    // reference.
    LinkSocket socket_;
    LinkCrowds crowds_;

    // True while the service thread is between the receipt of a packet and the end of its handling. Stored before the
    // receipt, with a full barrier in between; a thread that finds no packet in the socket loads it behind one.
    std::atomic<bool> hears_{false};

    std::atomic<KernelCopies> kernel_copies_{KernelCopies::untried};  // LinkEnd::kernel_copies()

    Mutex mutex_;  // held for one send on the socket
    LinkConnections connections_ GUARDED_BY(mutex_);
    Outbox outbox_ GUARDED_BY(mutex_);
    bool retired_ GUARDED_BY(mutex_) = false;  // begins no further connection
    bool peer_retired_ GUARDED_BY(mutex_) = false;
    bool ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace opennd::local
