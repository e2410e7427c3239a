// SPDX-License-Identifier: MIT
// SocketListener: see listener.h.
#include "transport/local/listener.h"

#include "base/explanation.h"
#include "platform/descriptor/descriptor_limit.h"
#include "platform/process/user.h"
#include "platform/thread/accept_turns.h"

namespace opennd::local {
namespace {

// Returns true if a process of another user listens under a name that is meant for this one.
bool is_of_another_user(const std::string& name) {
    auto socket = LocalSocket::connect(name);
    return socket.ok() && !same_user(socket.value(), LogCause::program);
}

// The most connections that wait for the service thread; further ones connect again later. The program's backlog counts
// requests, in core.
constexpr int kSocketBacklog = 1024;

}  // namespace

class SocketListener::Watch final : public AcceptTurns {
public:
    explicit Watch(Ref<SocketListener> listener)
        : AcceptTurns(listener->adapter_->event_loop()), listener_(std::move(listener)) {}

private:
    Status accept_one() override { return listener_->accept_one(); }

    const Ref<SocketListener> listener_;
};

class SocketListener::Taker final : public RequestTaker {
public:
    explicit Taker(Ref<SocketListener> listener) : listener_(std::move(listener)) {}
    void take_request(const Ref<Link>& link, ReceivedControl& request) override { listener_->take(link, request); }

private:
    const Ref<SocketListener> listener_;
};

bool same_user(LocalSocket& socket, LogCause cause) {
    const auto identity = socket.peer();
    if (identity.ok() && identity.value().user == UserMatch::own) return true;
    const bool unknown = identity.ok() && identity.value().user == UserMatch::unknown;
    (void)report(Status::connection_refused,
                 {.object = "connection",
                  .operation = "Connect or Listen",
                  .asked = phrase("a peer that runs as user {}",
                                  identity.ok() ? std::to_string(identity.value().uid) : "unknown"),
                  .limit = unknown ? "users that this process can tell apart: in its user namespace that number stands "
                                     "for every user of the host that is not mapped there"
                                   : "processes of one user: same-host connections share memory",
                  .remedy = unknown ? "map the user that this process runs as (uid_map), and run it as no overflow user"
                                    : "run both processes as one user",
                  .requirement = "ND2-CON-CONN-05",
                  .cause = cause});
    return false;
}

Result<LocalSocket> dial(std::string_view scope, const Address& address) {
    auto socket = LocalSocket::connect(SocketListener::socket_name(scope, address));
    if (socket.status() == Status::access_violation) return Status::connection_refused;  // by the system's policy
    if (socket.ok() && !same_user(socket.value(), LogCause::program)) return Status::connection_refused;
    return socket;
}

SocketListener::SocketListener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink, const WireTraits& traits,
                               Ref<LocalCallers> callers)
    : adapter_(std::move(adapter)), traits_(traits), callers_(std::move(callers)), sink_(std::move(sink)) {}

std::string SocketListener::socket_name(std::string_view scope, const Address& address) {
    return format("{}/{}/{}", scope, own_user(), address.text());
}

Result<Address> SocketListener::bind(const Address& address) {
    const std::string name = socket_name(traits_.scope, address);
    auto socket = opennd::LocalListener::bind(name);
    if (socket.status() == Status::address_in_use && is_of_another_user(name)) return Status::connection_refused;
    if (!socket.ok()) return socket.status();
    const Held lock(mutex_);
    socket_ = socket.take();
    address_ = address;
    return address;
}

Status SocketListener::listen(std::uint32_t) {
    const Held lock(mutex_);
    if (const Status status = socket_.listen(kSocketBacklog); !ok(status)) return status;
    const Ref<EventLoop::Watcher> watch(new Watch(Ref<SocketListener>(this)));
    const Status status = adapter_->event_loop().add(socket_.descriptor(), EventLoop::kArrival, watch);
    if (ok(status))
        traits_.links->add_taker(*adapter_, address_, Ref<RequestTaker>(new Taker(Ref<SocketListener>(this))));
    return status;
}

// Accepts one connection. One of another user's process ends before anything is made for it.
Status SocketListener::accept_one() {
    const Held lock(mutex_);
    if (!sink_) return Status::would_block;  // closed
    auto socket = socket_.accept();
    if (!socket.ok()) return socket.status();
    if (same_user(socket.value(), LogCause::caller)) greet(socket.take());
    return Status::success;
}

// Greets a caller. One that gets no place hears `busy`; its connector connects again later.
void SocketListener::greet(LocalSocket socket) {
    const auto identity = socket.peer();
    Ref<LocalCallers::Place> place = place_for(identity.ok() ? identity.value().pid : 0);
    if (place) return LocalConnector::passive(adapter_, std::move(socket), traits_, sink_, std::move(place));
    ControlMessage message;
    message.type = ControlType::busy;
    (void)send(socket, message);
}

void SocketListener::take(const Ref<Link>& link, ReceivedControl& request) {
    Ref<ListenerSink> sink;
    {
        const Held lock(mutex_);
        sink = sink_;
    }
    if (!sink) return link->refuse(ControlType::absent, request.message.nonce);
    Ref<LocalCallers::Place> place = place_for(link->peer_process());
    if (!place) return link->refuse(ControlType::busy, request.message.nonce);
    LocalConnector::passive(adapter_, link, request, traits_, std::move(sink), std::move(place));
}

Ref<LocalCallers::Place> SocketListener::place_for(pid_t process) const {
    return callers_->enter(process, LocalCallers::ceilings(descriptor_limit()));
}

void SocketListener::close() {
    const Ref<SocketListener> self(this);  // the table of listeners may have the last other reference
    Address address;
    {
        const Held lock(mutex_);
        if (!sink_) return;  // closed before
        address = address_;
    }
    traits_.links->remove_taker(*adapter_, address);
    const Held lock(mutex_);
    if (socket_.descriptor() >= 0) adapter_->event_loop().remove(socket_.descriptor());
    socket_ = opennd::LocalListener();
    sink_ = nullptr;
}

}  // namespace opennd::local
