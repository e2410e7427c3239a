// SPDX-License-Identifier: MIT
// See listener.h. rdma_cm listens from bind() on, because iWARP devices take their port from TCP, and tell of another user of it
// only then; requests before listen() are refused.
#include "transport/verbs/connection/listener.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/explanation.h"
#include "platform/host/random.h"
#include "transport/verbs/connection/connection_id.h"
#include "transport/verbs/connection/connector.h"
#include "transport/verbs/connection/event_channel.h"
#include "transport/verbs/connection/private_data_mark.h"

namespace opennd::verbs {
namespace {

// The most requests that wait for the service thread; the kernel lowers it to net.rdma_ucm.max_backlog. The program's
// backlog counts requests too, in core.
constexpr int kKernelBacklog = 1024;
// The ports to try (ND2-CON-PORT-02). A taken port leads to the next; after kPorts of them, no port is free.
constexpr std::uint32_t kFirstPort = 49152;
constexpr std::uint32_t kPorts = 65536 - kFirstPort;

}  // namespace

class VerbsListener::Events final : public CmEventSink {
public:
    explicit Events(Ref<VerbsListener> listener) : listener_(std::move(listener)) {}
    void on_event(const CmEvent& event) override {
        if (event.type == RDMA_CM_EVENT_DEVICE_REMOVAL) listener_->device_->end();
    }
    void on_request(Ref<ConnectionId> id, const CmEvent& event) override {
        listener_->on_request(std::move(id), event);
    }

private:
    const Ref<VerbsListener> listener_;
};

VerbsListener::VerbsListener(Ref<TransportAdapter> owner, Ref<Device> device, Ref<ListenerSink> sink)
    : owner_(std::move(owner)), device_(std::move(device)), sink_(std::move(sink)) {}

Result<Address> VerbsListener::bind(const Address& address) {
    const auto refused = [&](int error) {
        return explain_cm_failure(error, "Bind", phrase("listener {}", address.text()),
                                  phrase("address and port {}", address.text()));
    };
    if (address.port() != 0) {
        const Result<int> error = listen_at(address);
        if (!error.ok()) return error.status();
        if (error.value() != 0) return refused(error.value());
        return address;
    }
    const auto start = static_cast<std::uint32_t>(random_u64() % kPorts);
    for (std::uint32_t i = 0; i < kPorts; ++i) {
        const Address candidate = address.with_port(static_cast<std::uint16_t>(kFirstPort + (start + i) % kPorts));
        const Result<int> error = listen_at(candidate);
        if (!error.ok()) return error.status();
        if (error.value() == 0) return candidate;
        if (error.value() != EADDRINUSE) return refused(error.value());
    }
    return explain(Status::no_free_port, {.object = phrase("listener {}", address.text(false)),
                                          .operation = "Bind",
                                          .asked = "a free port",
                                          .limit = phrase("{} to 65535, all taken", kFirstPort),
                                          .remedy = "release listeners, or name a port below that range",
                                          .requirement = "ND2-CON-PORT-02"});
}

// Listens at the address. Returns the errno of rdma_cm; 0: id_ listens. An id that could not be bound is used up.
Result<int> VerbsListener::listen_at(const Address& address) {
    Result<Ref<ConnectionId>> made =
        ConnectionId::create(device_->channel(), make_ref<Events>(Ref<VerbsListener>(this)));
    if (!made.ok()) return made.status();
    const Ref<ConnectionId> id = made.take();
    set_traffic_class(device_->rdma(), id->get(), device_->settings().traffic_class);
    sockaddr_storage raw = address.to_sockaddr();
    int error = 0;
    if (device_->rdma().bind_addr(id->get(), reinterpret_cast<sockaddr*>(&raw)) != 0)
        error = errno;
    else if (!device_->serves(*id->get()))
        error = EADDRNOTAVAIL;  // the address has moved to another device, or port
    else if (device_->rdma().listen(id->get(), kKernelBacklog) != 0)
        error = errno;
    if (error != 0) {
        id->destroy();
        return error;
    }
    const Held lock(mutex_);
    id_ = id;
    return 0;
}

Status VerbsListener::listen(std::uint32_t) {
    const Held lock(mutex_);
    listens_ = true;
    return Status::success;
}

void VerbsListener::on_request(Ref<ConnectionId> id, const CmEvent& event) {
    Ref<ListenerSink> sink;
    {
        const Held lock(mutex_);
        if (listens_) sink = sink_;
    }
    const bool is_iwarp = device_->facts().is_iwarp();
    if (!sink) {
        const std::vector<std::byte> none = is_iwarp ? std::vector<std::byte>() : with_mark({}, CmMessage::refusal, {});
        (void)device_->rdma().reject(id->get(), none.data(), static_cast<std::uint8_t>(none.size()));
        return;
    }
    const AdapterLimits& most = owner_->limits();
    ConnectionRequest request;
    request.local = id->local();
    request.peer = id->peer();
    // rdma_cm has turned them round: this side's most (ND2-CON-LIM-02).
    request.limits = {std::min<std::uint32_t>(event.responder_resources, most.max_inbound_reads),
                      std::min<std::uint32_t>(event.initiator_depth, most.max_outbound_reads)};
    const std::span<const std::byte> data = is_iwarp ? event.private_data() : without_mark(event.private_data()).data;
    request.private_data.assign(data.begin(), data.end());
    sink->on_request(VerbsConnector::passive(owner_, device_, std::move(id), event), std::move(request));
}

void VerbsListener::close() {
    Ref<ConnectionId> id;
    Ref<ListenerSink> sink;
    {
        const Held lock(mutex_);
        std::swap(id, id_);
        std::swap(sink, sink_);
    }
    if (id) id->destroy();  // the address is free on return (ND2-LIS-BIND-03)
}

}  // namespace opennd::verbs
