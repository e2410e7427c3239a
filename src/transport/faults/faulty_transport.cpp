// SPDX-License-Identifier: MIT
// See faulty_transport.h.
#include "transport/faults/faulty_transport.h"

#include <utility>

#include "base/explanation.h"
#include "transport/layer/adapter.h"

namespace opennd::faults {
namespace {

[[gnu::cold]] Status tell(const Kind& kind, std::string_view object, std::string_view operation,
                          std::string_view requirement) {
    return report(kind.status, {.object = object,
                                .operation = operation,
                                .asked = "one that a rule of the faults strikes",
                                .limit = phrase("a fault on purpose: {}", kind.name),
                                .remedy = "see OPENND_FAULTS, or opennd_faults_set",
                                .requirement = requirement});
}

// Hands everything on, but for registrations and Connects that a rule strikes.
class FaultyAdapter final : public LayerAdapter {
public:
    FaultyAdapter(Ref<TransportAdapter> inner, Faults& faults, EventLoop& loop)
        : LayerAdapter(std::move(inner)), faults_(faults), loop_(loop) {}

    Result<Ref<TransportMemory>> register_memory(std::byte* address, std::size_t bytes, Access access) override {
        if (const Kind* const kind = faults_.strike(Place::memory, bytes).kind) return refuse_memory(*kind);
        return LayerAdapter::register_memory(address, bytes, access);
    }
    Result<Ref<TransportMemory>> register_pages(const PageList& pages, Access access) override {
        if (const Kind* const kind = faults_.strike(Place::memory, pages.length).kind) return refuse_memory(*kind);
        return LayerAdapter::register_pages(pages, access);
    }
    Ref<TransportConnector> connect(Ref<ConnectorSink> sink, const Address& local, PortOrigin origin,
                                    const Address& remote, const ReadLimits& offer,
                                    std::span<const std::byte> private_data,
                                    Ref<TransportQueuePair> queue_pair) override {
        const Kind* const kind = faults_.strike(Place::connect).kind;
        if (kind == nullptr)
            return LayerAdapter::connect(std::move(sink), local, origin, remote, offer, private_data,
                                         std::move(queue_pair));
        // The sink is never called from inside the program's call (ND2-CON-CONN-04).
        const Status status = tell(*kind, "connector", "Connect", "ND2-CON-CONN-05");
        loop_.post([sink = std::move(sink), status] { sink->on_connect_failed(status, {}); });
        return nullptr;
    }

private:
    static Status refuse_memory(const Kind& kind) { return tell(kind, "memory region", "Register", "ND2-MR-REG-01"); }

    Faults& faults_;
    EventLoop& loop_;
};

}  // namespace

Result<Ref<TransportAdapter>> FaultyTransport::open(const Interface& on, Face face) {
    if (!line_fault_.empty())
        return opennd::explain(Status::not_supported,
                               {.object = phrase("adapter {}", on.name),
                                .operation = "OpenAdapter",
                                .asked = "an adapter with the faults of OPENND_FAULTS",
                                .limit = line_fault_,
                                .remedy = "correct OPENND_FAULTS (nd faults checks it), or leave it unset",
                                .requirement = "ND2-PRV-OPEN-01"});
    Result<Ref<TransportAdapter>> opened = LayerTransport::open(on, face);
    if (!opened.ok() || !faults_.is_wanted()) return opened;
    return Ref<TransportAdapter>(new FaultyAdapter(opened.take(), faults_, loop_));
}

}  // namespace opennd::faults
