// SPDX-License-Identifier: MIT
// See peer_question.h.
#include "transport/verbs/connection/peer_question.h"

#include <utility>

#include "transport/verbs/connection/event_channel.h"
#include "transport/verbs/device/reaper.h"

namespace opennd::verbs {
namespace {

// Addresses and routes are known: the connection has them.
constexpr int kFindTime_ms = 2000;

}  // namespace

Ref<PeerQuestion> PeerQuestion::ask(Ref<Device> device, const Address& local, const Address& remote,
                                    std::function<void()> answered) {
    Ref<PeerQuestion> self(new PeerQuestion(std::move(device), std::move(answered)));
    Result<Ref<ConnectionId>> made = ConnectionId::create(self->device_->channel(), self);
    if (!made.ok()) return nullptr;
    const Ref<ConnectionId> id = made.take();
    {
        const Held lock(self->mutex_);
        self->id_ = id;
    }
    const CmFunctions& rdma = self->device_->rdma();
    set_traffic_class(rdma, id->get(), self->device_->settings().traffic_class);  // the connection's path
    sockaddr_storage from = local.with_port(0).to_sockaddr();
    sockaddr_storage to = remote.with_port(0).to_sockaddr();
    if (rdma.bind_addr(id->get(), reinterpret_cast<sockaddr*>(&from)) == 0 &&
        rdma.resolve_addr(id->get(), nullptr, reinterpret_cast<sockaddr*>(&to), kFindTime_ms) == 0)
        return self;
    self->let_go();
    return nullptr;
}

void PeerQuestion::let_go() {
    Ref<ConnectionId> id;
    {
        const Held lock(mutex_);
        std::swap(id, id_);
    }
    if (id) id->set_sink(nullptr);
}

Ref<ConnectionId> PeerQuestion::id() const {
    const Held lock(mutex_);
    return id_;
}

template <typename Call>
void PeerQuestion::run(Call call) {
    const Ref<ConnectionId> id = this->id();
    if (!id) return;
    device_->reaper().run([self = Ref<PeerQuestion>(this), id, call] {
        if (call(self->device_->rdma(), id->get()) != 0) self->let_go();
    });
}

// The number of a queue pair stays 0: the peer's kernel ends the connection that it knows with the number of a request.
void PeerQuestion::on_event(const CmEvent& event) {
    switch (event.type) {
        case RDMA_CM_EVENT_ADDR_RESOLVED:
            return run([](const CmFunctions& rdma, rdma_cm_id* id) { return rdma.resolve_route(id, kFindTime_ms); });
        case RDMA_CM_EVENT_ROUTE_RESOLVED:
            return run([](const CmFunctions& rdma, rdma_cm_id* id) {
                rdma_conn_param terms{};
                return rdma.connect(id, &terms);
            });
        case RDMA_CM_EVENT_REJECTED:
            if (id()) answered_();
            break;
        default: break;  // no answer
    }
    let_go();
}

}  // namespace opennd::verbs
