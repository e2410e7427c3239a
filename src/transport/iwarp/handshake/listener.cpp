// SPDX-License-Identifier: MIT
// IwarpListener: see listener.h.
#include "transport/iwarp/handshake/listener.h"

#include <chrono>
#include <utility>

#include "platform/descriptor/descriptor_limit.h"
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
    socket_ = socket.take();
    return address;
}

Status IwarpListener::listen(std::uint32_t) {
    const Held lock(mutex_);
    if (const Status status = socket_.listen(kSocketBacklog, context_->settings.tcp); !ok(status)) return status;
    const Ref<EventLoop::Watcher> watch(new Watch(Ref<IwarpListener>(this)));
    return adapter_->event_loop().add(socket_.descriptor(), EventLoop::kArrival, watch);
}

void IwarpListener::on_readable() {
    const Held lock(mutex_);
    if (!sink_) return;
    const Callers::Ceilings ceilings = Callers::ceilings(descriptor_limit());
    for (int accepted = 0; accepted < kAcceptedAtOnce; ++accepted)
        if (!accept_one(ceilings)) return;
    // The rest has arrived, and no event will report it.
    adapter_->event_loop().post([self = Ref<IwarpListener>(this)] { self->on_readable(); });
}

// False: no connection waits, or one that stays in the socket because there is no place or no descriptor for it.
bool IwarpListener::accept_one(const Callers::Ceilings& ceilings) {
    const bool full = context_->callers.full(ceilings);
    auto socket = full ? Result<TcpSocket>(Status::insufficient_resources) : socket_.accept();
    if (socket.status() == Status::would_block) return false;
    if (socket.ok()) {
        IwarpConnector::passive(adapter_, context_, socket.take(), sink_, ceilings);
        return true;
    }
    if (!std::exchange(comes_again_, true))
        adapter_->event_loop().schedule(now() + kTakeAgain, [self = Ref<IwarpListener>(this)] { self->come_again(); });
    return false;
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
    if (socket_.descriptor() >= 0) adapter_->event_loop().remove(socket_.descriptor());
    socket_ = TcpListener();
    sink_ = nullptr;
}

}  // namespace opennd::iwarp
