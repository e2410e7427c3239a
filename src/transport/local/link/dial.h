// SPDX-License-Identifier: MIT
// A request of this process, until the other process answers. It travels on a link that leads to the listener; else on the socket that
// found it: then the socket becomes a link, or an existing link has the connection and the socket goes. On a socket it lives on without
// its connector, since the link that it may become serves others.
#pragma once

#include "base/lock.h"
#include "platform/descriptor/local_socket.h"
#include "platform/thread/event_loop.h"
#include "transport/local/link/control_message.h"
#include "transport/local/link/link.h"
#include "transport/local/link/links.h"

namespace opennd::local {

class Dial final : public EventLoop::Watcher {
public:
    Dial(EventLoop& loop, Ref<Links> links, soft::OpenAdapter& own, LocalSocket socket, Ref<LinkUser> user);
    Dial(EventLoop& loop, Ref<Links> links, soft::OpenAdapter& own, Ref<Link> link, Ref<LinkUser> user);
    ~Dial() override;

    // Sends the request, once; on a socket, with the token table. Statuses of LocalSocket::send, EventLoop::add and
    // Link::ask; after a failure this object is done.
    Status ask(ControlMessage request) EXCLUDES(mutex_);
    // Gives the request up, because nobody wants the connection any more: the peer is told so by a record of this type.
    // Once; any thread. A call of the user may be on its way.
    void abandon(ControlType type) EXCLUDES(mutex_);
    // Ends the request: an existing link has the connection, or nobody answers any more. The socket goes. Returns the
    // user, to be told so; null: nobody wants the connection. Service thread.
    Ref<LinkUser> finish() EXCLUDES(mutex_);

    void on_ready(std::uint32_t epoll_events) override EXCLUDES(mutex_);

    // The link on which the request travels; null: it travels on a socket.
    const Link* link() const { return link_.get(); }

private:
    Status ask_on_link(ControlMessage request) EXCLUDES(mutex_);

    void become_link(ReceivedControl& record) EXCLUDES(mutex_);

    EventLoop& loop_;
    const Ref<Links> links_;
    const int tokens_;          // the descriptor of the open's token table, for ask()
    const std::uint64_t open_;  // its number
    const Ref<Link> link_;
    std::uint64_t nonce_ = 0;  // constant after ask()

    Mutex mutex_;
    LocalSocket socket_ GUARDED_BY(mutex_);
    Ref<LinkUser> user_ GUARDED_BY(mutex_);
    Ref<soft::OpenAdapter> own_ GUARDED_BY(mutex_);  // as long as the user; the link's end
};

}  // namespace opennd::local
