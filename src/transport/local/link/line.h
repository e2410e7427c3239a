// SPDX-License-Identifier: MIT
// One connection's end of a link (link.h), as its connector and its channel have it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "base/ref.h"
#include "transport/local/link/arena.h"
#include "transport/local/link/control_message.h"
#include "transport/local/link/holdings.h"
#include "transport/local/link/link_user.h"
#include "transport/soft/channel/ready_source.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::local {

class Link;
class LinkSource;

// Whether the kernel copies between this process and the peer's.
enum class KernelCopies : std::uint8_t { untried, work, refused };

// One connection's end: what a connector and its channel have of a link. The last reference gives the segment back.
class Line final : public RefCounted {
public:
    Line(Ref<Link> link, std::uint32_t number);
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

    // The peer's crowds that want it (LaneWish) are told of this connection, and rung if they sleep. Any thread; never blocks.
    void name(std::uint32_t crowds);
    // No thread polls any of them.
    bool all_sleep(std::uint32_t crowds) const;
    // A thread polls the connection outside crowds, or none does any more. Any thread.
    void count_polled(bool polled);
    // The source of this side's crowd, which joins with the first connection. Null: the link tells no more crowds. Throws std::bad_alloc.
    LinkSource* join(soft::Crowd& crowd, soft::Place place, bool asymmetric);
    // The source, if join() was called; then leave(), after which it may be gone.
    LinkSource* source_in(const soft::Crowd& crowd) const;
    void leave(soft::Crowd& crowd, LinkSource& source);

    // Packets of the link wait or are being heard, maybe of this connection; look() hears them. On the service thread, or with
    // look() following there.
    bool has_packets() const;
    void look();

    const Ref<LinkMemory>& memory() const;
    std::uint32_t number() const { return number_; }
    // At the end: memory that the peer may still read, until it has released the connection.
    void keep(std::unique_ptr<Holdings> holdings);
    soft::PeerTokenTable peer_tokens() const;
    pid_t peer_process() const;
    // As the first connection that tried has found. Relaxed; lives as long as this object.
    std::atomic<KernelCopies>& kernel_copies() const;
    // The peer's listener at this address answered: further requests to it are asked on the link. Throws std::bad_alloc.
    void leads_to(const Address& listener);
    // The tokens that the peer has from the link.
    bool has_tokens_of(const soft::OpenAdapter& own) const;

private:
    const Ref<Link> link_;
    const std::uint32_t number_;
    std::atomic<bool> left_{false};  // relaxed: a late wake-up costs one look
};

}  // namespace opennd::local
