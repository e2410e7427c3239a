// SPDX-License-Identifier: MIT
// IwarpListener: see listener.h.
#include "transport/iwarp/handshake/listener.h"

#include <utility>

#include "base/log.h"
#include "base/status_names.h"
#include "platform/descriptor/descriptor_limit.h"
#include "platform/host/interfaces.h"
#include "platform/thread/accept_turns.h"
#include "transport/iwarp/handshake/connector.h"

namespace opennd::iwarp {
namespace {

// Connections that may wait for the service thread. The program's backlog counts requests, in core.
constexpr int kSocketBacklog = 1024;

}  // namespace

class IwarpListener::Watch final : public AcceptTurns {
public:
    Watch(Ref<IwarpListener> listener, std::size_t socket)
        : AcceptTurns(listener->adapter_->event_loop()), listener_(std::move(listener)), socket_(socket) {}

private:
    Status accept_one() override { return listener_->accept_one(socket_); }

    const Ref<IwarpListener> listener_;
    const std::size_t socket_;  // its place in sockets_
};

IwarpListener::IwarpListener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink, Ref<WireContext> context)
    : adapter_(std::move(adapter)), context_(std::move(context)), sink_(std::move(sink)) {}

Result<Address> IwarpListener::bind(const Address& address) {
    auto socket = TcpListener::bind(address);
    if (!socket.ok()) return socket.status();
    const Held lock(mutex_);
    address_ = address;
    sockets_.push_back(socket.take());
    return address;
}

Status IwarpListener::listen(std::uint32_t) {
    const Held lock(mutex_);
    if (sockets_.size() == 1)  // and not again after a failure
        for (TcpListener& each : beside()) sockets_.push_back(std::move(each));
    for (std::size_t socket = 0; socket < sockets_.size(); ++socket)
        if (const Status status = listen_on(socket); !ok(status)) return status;
    return Status::success;
}

// The sockets for the other interfaces in the subnet, with the adapter's own kept to its interface. None where there are no such, or
// the system does not allow it.
std::vector<TcpListener> IwarpListener::beside() {
    std::vector<TcpListener> sockets;
    const SubnetInterfaces subnet = interfaces_in_subnet_of(address_);
    if (subnet.others.empty() || !sockets_.front().keep_to(subnet.home)) return sockets;
    for (const std::uint32_t interface : subnet.others) {
        auto socket = TcpListener::bind(address_, interface);
        if (socket.ok())
            sockets.push_back(socket.take());
        else
            log(LogLevel::info, "listener {}: connections that come by interface {} find none ({})", address_.text(),
                interface, name(socket.status()));
    }
    return sockets;
}

Status IwarpListener::listen_on(std::size_t socket) {
    TcpListener& listening = sockets_[socket];
    if (const Status status = listening.listen(kSocketBacklog, context_->settings.tcp); !ok(status)) return status;
    const Ref<EventLoop::Watcher> watch(new Watch(Ref<IwarpListener>(this), socket));
    return adapter_->event_loop().add(listening.descriptor(), EventLoop::kArrival, watch);
}

// Without a place a connection stays in the socket.
Status IwarpListener::accept_one(std::size_t socket) {
    const Held lock(mutex_);
    if (!sink_) return Status::would_block;  // closed
    // Where few wait, they have room whatever the limit is.
    const bool few = context_->callers.are_few();
    const Callers::Ceilings ceilings = Callers::ceilings(few ? 0 : descriptor_limit());
    if (context_->callers.full(ceilings)) return Status::insufficient_resources;
    auto accepted = sockets_[socket].accept();
    if (accepted.ok())
        IwarpConnector::passive(adapter_, context_, accepted.take(), sink_, ceilings);
    else if (accepted.status() != Status::would_block)
        log(LogLevel::warn, LogCause::caller,
            "listener {}: a connection waits: this process cannot accept it ({}); raise its limits (ulimit -n), or end "
            "connections",
            address_.text(), name(accepted.status()));
    return accepted.status();
}

void IwarpListener::close() {
    const Held lock(mutex_);
    for (const TcpListener& each : sockets_) adapter_->event_loop().remove(each.descriptor());
    sockets_.clear();
    sink_ = nullptr;
}

}  // namespace opennd::iwarp
