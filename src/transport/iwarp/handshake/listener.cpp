// SPDX-License-Identifier: MIT
// IwarpListener: see listener.h.
#include "transport/iwarp/handshake/listener.h"

#include <utility>

#include "platform/descriptor/descriptor_limit.h"
#include "platform/thread/accept_turns.h"
#include "transport/iwarp/handshake/connector.h"

namespace opennd::iwarp {
namespace {

// Connections that may wait for the service thread. The program's backlog counts requests, in core.
constexpr int kSocketBacklog = 1024;

}  // namespace

class IwarpListener::Watch final : public AcceptTurns {
public:
    explicit Watch(Ref<IwarpListener> listener)
        : AcceptTurns(listener->adapter_->event_loop()), listener_(std::move(listener)) {}

private:
    Status accept_one() override { return listener_->accept_one(); }

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

// Without a place a connection stays in the socket.
Status IwarpListener::accept_one() {
    const Held lock(mutex_);
    if (!sink_) return Status::would_block;  // closed
    const Callers::Ceilings ceilings = Callers::ceilings(descriptor_limit());
    if (context_->callers.full(ceilings)) return Status::insufficient_resources;
    auto socket = socket_.accept();
    if (!socket.ok()) return socket.status();
    IwarpConnector::passive(adapter_, context_, socket.take(), sink_, ceilings);
    return Status::success;
}

void IwarpListener::close() {
    const Held lock(mutex_);
    if (socket_.descriptor() >= 0) adapter_->event_loop().remove(socket_.descriptor());
    socket_ = TcpListener();
    sink_ = nullptr;
}

}  // namespace opennd::iwarp
