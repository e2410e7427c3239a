// SPDX-License-Identifier: MIT
// IwarpListener: see listener.h.
#include "transport/iwarp/handshake/listener.h"

#include <chrono>
#include <utility>

#include "base/log.h"
#include "base/status_names.h"
#include "platform/descriptor/descriptor_limit.h"
#include "platform/host/interfaces.h"
#include "platform/process/clock.h"
#include "transport/iwarp/handshake/connector.h"

namespace opennd::iwarp {
namespace {

// Connections that may wait for the service thread. The program's backlog counts requests, in core.
constexpr int kSocketBacklog = 1024;
// Connections accepted in one turn, before the turn of others.
constexpr int kAcceptedAtOnce = 64;
// Delay before the next accept after one that failed for want of a place, of a descriptor or of memory.
constexpr std::chrono::milliseconds kTakeAgain{10};

}  // namespace

class IwarpListener::Watch final : public EventLoop::Watcher {
public:
    explicit Watch(Ref<IwarpListener> listener) : listener_(std::move(listener)) {}
    void on_ready(std::uint32_t) override { listener_->on_readable(); }

private:
    const Ref<IwarpListener> listener_;
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
    for (TcpListener& each : sockets_)
        if (const Status status = listen_on(each); !ok(status)) return status;
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

Status IwarpListener::listen_on(TcpListener& socket) {
    if (const Status status = socket.listen(kSocketBacklog, context_->settings.tcp); !ok(status)) return status;
    const Ref<EventLoop::Watcher> watch(new Watch(Ref<IwarpListener>(this)));
    return adapter_->event_loop().add(socket.descriptor(), EventLoop::kArrival, watch);
}

void IwarpListener::on_readable() {
    const Held lock(mutex_);
    if (!sink_) return;
    const Callers::Ceilings ceilings = Callers::ceilings(descriptor_limit());
    int accepted = 0;
    for (TcpListener& each : sockets_) {
        Accepted last = Accepted::one;
        for (; last == Accepted::one && accepted < kAcceptedAtOnce; ++accepted) last = accept_one(each, ceilings);
        if (last == Accepted::nothing_for_now) return;
    }
    if (accepted < kAcceptedAtOnce) return;
    // The rest has arrived, and no event will report it.
    adapter_->event_loop().post([self = Ref<IwarpListener>(this)] { self->on_readable(); });
}

// None: no connection waits. Nothing for now: one stays in the socket because there is no place or no descriptor for it.
IwarpListener::Accepted IwarpListener::accept_one(TcpListener& socket, const Callers::Ceilings& ceilings) {
    const bool full = context_->callers.full(ceilings);
    auto accepted = full ? Result<TcpSocket>(Status::insufficient_resources) : socket.accept();
    if (accepted.status() == Status::would_block) return Accepted::none;
    if (accepted.ok()) {
        IwarpConnector::passive(adapter_, context_, accepted.take(), sink_, ceilings);
        return Accepted::one;
    }
    if (!full)
        log(LogLevel::warn, LogCause::caller,
            "listener {}: a connection waits: this process cannot accept it ({}); raise its limits (ulimit -n), or end "
            "connections",
            address_.text(), name(accepted.status()));
    if (!std::exchange(comes_again_, true))
        adapter_->event_loop().schedule(now() + kTakeAgain, [self = Ref<IwarpListener>(this)] { self->come_again(); });
    return Accepted::nothing_for_now;
}

void IwarpListener::come_again() {
    {
        const Held lock(mutex_);
        comes_again_ = false;
    }
    on_readable();
}

void IwarpListener::close() {
    const Held lock(mutex_);
    for (const TcpListener& each : sockets_) adapter_->event_loop().remove(each.descriptor());
    sockets_.clear();
    sink_ = nullptr;
}

}  // namespace opennd::iwarp
