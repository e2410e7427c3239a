// SPDX-License-Identifier: MIT
// Dial: see dial.h.
#include "transport/local/link/dial.h"

#include <array>
#include <new>
#include <utility>

namespace opennd::local {

Dial::Dial(EventLoop& loop, Ref<Links> links, soft::OpenAdapter& own, LocalSocket socket, Ref<LinkUser> user)
    : loop_(loop),
      links_(std::move(links)),
      tokens_(own.tokens().memory().descriptor()),
      open_(own.tokens().cookie()),
      socket_(std::move(socket)),
      user_(std::move(user)),
      own_(&own) {}

Dial::Dial(EventLoop& loop, Ref<Links> links, soft::OpenAdapter& own, Ref<Link> link, Ref<LinkUser> user)
    : loop_(loop),
      links_(std::move(links)),
      tokens_(-1),
      open_(own.tokens().cookie()),
      link_(std::move(link)),
      user_(std::move(user)),
      own_(&own) {}

Dial::~Dial() { links_->expect_no_more(nonce_); }

Status Dial::ask(ControlMessage request) {
    request.open = open_;
    links_->expect_answer(*this, nonce_);
    request.nonce = nonce_;
    if (link_) return ask_on_link(request);
    const Held lock(mutex_);
    Status status = loop_.add(socket_.descriptor(), EventLoop::kArrival, Ref<EventLoop::Watcher>(this));
    if (ok(status)) status = send(socket_, request, std::array{tokens_});
    if (ok(status) || status == Status::disconnected) return Status::success;  // the end of the socket is heard
    loop_.remove(socket_.descriptor());
    user_ = nullptr;
    own_ = nullptr;
    return status;
}

// Asks on the link, whose end tells this object, unless the failure came first.
Status Dial::ask_on_link(ControlMessage request) {
    request.type = ControlType::ask;
    const Status status = link_->ask(request);
    return ok(status) || !finish() ? Status::success : status;
}

void Dial::abandon(ControlType type) {
    if (link_) links_->expect_no_more(nonce_);  // nothing but the user keeps it
    Ref<LinkUser> user;                         // released outside the lock, as the open
    Ref<soft::OpenAdapter> own;
    const Held lock(mutex_);
    user = std::move(user_);
    own = std::move(own_);
    if (!user || socket_.descriptor() < 0) return;
    ControlMessage message;
    message.type = type;
    (void)send(socket_, message);
}

Ref<LinkUser> Dial::finish() {
    LocalSocket socket;  // closed outside the lock
    Ref<soft::OpenAdapter> own;
    links_->expect_no_more(nonce_);
    const Held lock(mutex_);
    if (socket_.descriptor() >= 0) loop_.remove(socket_.descriptor());
    socket = std::move(socket_);
    own = std::move(own_);
    return std::move(user_);
}

void Dial::on_ready(std::uint32_t) {
    const Ref<Dial> self(this);  // finish() drops the loop's reference
    Result<ReceivedControl> received = Status::would_block;
    {
        const Held lock(mutex_);
        if (socket_.descriptor() >= 0) received = receive(socket_);
    }
    if (received.status() == Status::would_block) return;
    if (received.ok() && received.value().message.type == ControlType::link && received.value().message.nonce == nonce_)
        return become_link(received.value());
    const Ref<LinkUser> user = finish();
    if (!user) return;
    const bool answers = received.ok() && (received.value().message.type == ControlType::reject ||
                                           received.value().message.type == ControlType::busy);
    if (answers)
        user->on_record(received.value());
    else
        user->on_left(received.ok() ? Status::disconnected : received.status());
}

void Dial::become_link(ReceivedControl& record) {
    LocalSocket socket;
    Ref<LinkUser> user;
    Ref<soft::OpenAdapter> own;  // before the link can be found, it does not end
    {
        const Held lock(mutex_);
        socket = std::move(socket_);
        user = std::move(user_);
        own = std::move(own_);
    }
    links_->expect_no_more(nonce_);
    const auto peer = socket.peer();
    const LinkOpens ends{own.get(), own && peer.ok() ? peer.value().pid : 0, 0};
    const int watched = socket.descriptor();
    Status status = Status::no_memory;
    try {
        status = Link::take(loop_, links_, ends, socket, record, user);
    } catch (const std::bad_alloc&) {  // the record has been received, and comes no second time
    }
    if (ok(status)) return;
    loop_.remove(watched);
    if (user) user->on_left(status);
}

}  // namespace opennd::local
