// SPDX-License-Identifier: MIT
// Nd1Connector, the endpoint: its limits and its creation.
#include <cstddef>
#include <new>
#include <utility>

#include "core/adapter/adapter.h"
#include "core/queue/shared_receive_queue.h"
#include "spi/nd1/call/adapter_info.h"
#include "spi/nd1/call/status.h"
#include "spi/nd1/connection/connector.h"
#include "spi/nd1/queue/completion_queue.h"

namespace opennd {
namespace {

// ND1-CN-CREP-02.
Ref<CompletionQueue> usable_queue(INDCompletionQueue* argument, const Adapter& adapter) {
    const Ref<Nd1CompletionQueue> face = own_object<Nd1CompletionQueue>(argument);
    if (!face || &face->core()->adapter() != &adapter || face->core()->failed()) return nullptr;
    return face->core();
}

Ref<Nd1Endpoint> endpoint_over(const Ref<QueuePair>& core, const Nd1Endpoint::Limits& limits,
                               const Ref<Registrations>& registrations) {
    try {
        return make_ref<Nd1Endpoint>(core, limits, registrations);
    } catch (const std::bad_alloc&) {
        core->close();  // or its adapter would go on with it
        throw;
    }
}

[[gnu::cold]] HRESULT refuse_second_endpoint(const Site& site) {
    return explain(ND_NOT_SUPPORTED, {.object = site.object,
                                      .operation = site.operation,
                                      .asked = "a second endpoint",
                                      .limit = "one for each connector",
                                      .remedy = "create another connector",
                                      .requirement = "ND1-CN-CREP-01"});
}

}  // namespace

HRESULT Nd1Connector::check_limits(const Site& site, const std::size_t (&wanted)[6]) const {
    const ND_ADAPTER_INFO can = nd1_adapter_info(*adapter_);
    const bool reads_take_fewer = adapter_->limits().max_read_sges < adapter_->limits().max_initiator_sges;
    const struct {
        HRESULT status;
        std::string_view what;
        SIZE_T limit;
        std::string_view requirement;
        std::uint32_t AdapterLimits::*of_adapter;
    } limits[6] = {
        {ND_INVALID_PARAMETER_3, "inbound entries:", can.MaxInboundRequests, "ND1-CN-CREP-03",
         &AdapterLimits::max_receive_depth},
        {ND_INVALID_PARAMETER_4, "outbound entries:", can.MaxOutboundRequests, "ND1-CN-CREP-03",
         &AdapterLimits::max_initiator_depth},
        {ND_INVALID_PARAMETER_5, "inbound SGEs:", can.MaxInboundSge, "ND1-CN-CREP-03",
         &AdapterLimits::max_receive_sges},
        {ND_INVALID_PARAMETER_6, "outbound SGEs:", can.MaxOutboundSge, "ND1-CN-CREP-03",
         reads_take_fewer ? &AdapterLimits::max_read_sges : &AdapterLimits::max_initiator_sges},
        {ND_INVALID_PARAMETER_7, "inbound Reads:", can.MaxInboundReadLimit, "ND1-CN-CREP-04",
         &AdapterLimits::max_inbound_reads},
        {ND_INVALID_PARAMETER_8, "outbound Reads:", can.MaxOutboundReadLimit, "ND1-CN-CREP-04",
         &AdapterLimits::max_outbound_reads},
    };
    for (std::size_t i = 0; i < 6; ++i)
        if (wanted[i] > limits[i].limit)
            return refuse_nd1_limit(limits[i].status, site, limits[i].what, wanted[i], limits[i].limit,
                                    limits[i].requirement, adapter_->imposer(limits[i].of_adapter, limits[i].limit));
    return ND_SUCCESS;
}

HRESULT Nd1Connector::CreateEndpoint(INDCompletionQueue* inbound, INDCompletionQueue* outbound, SIZE_T inbound_entries,
                                     SIZE_T outbound_entries, SIZE_T inbound_sges, SIZE_T outbound_sges,
                                     SIZE_T inbound_reads, SIZE_T outbound_reads, SIZE_T* max_inline_data,
                                     INDEndpoint** endpoint) noexcept {
    constexpr Site site{kConnector, "CreateEndpoint"};
    return at_face([&]() -> HRESULT {
        if (endpoint == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_10, site, "ppEndpoint");
        *endpoint = nullptr;
        Ref<CompletionQueue> receives = usable_queue(inbound, *adapter_);
        if (!receives)
            return refuse_nd1_object(ND_INVALID_PARAMETER_1, site, "pInboundCq", "completion queue", "ND1-CN-CREP-02");
        Ref<CompletionQueue> sends = usable_queue(outbound, *adapter_);
        if (!sends)
            return refuse_nd1_object(ND_INVALID_PARAMETER_2, site, "pOutboundCq", "completion queue", "ND1-CN-CREP-02");
        const std::size_t wanted[6] = {inbound_entries, outbound_entries, inbound_sges,
                                       outbound_sges,   inbound_reads,    outbound_reads};
        if (const HRESULT bad = check_limits(site, wanted); FAILED(bad)) return bad;
        if (const HRESULT bad = check(Nd1ConnectorMethod::create_endpoint); FAILED(bad)) return bad;

        const auto number = [](SIZE_T value) { return static_cast<std::uint32_t>(value); };
        const QueuePairLimits limits{number(inbound_entries), number(outbound_entries), number(inbound_sges),
                                     number(outbound_sges), adapter_->limits().max_inline_bytes};
        constexpr QueuePairRules kRulesOfVersion1{.outlives_peer = true, .windows_end_with_connection = true};
        auto core = in_words_of(
            site, "ND1-CN-CREP-09",
            [&] {
                return QueuePair::create(adapter_, limits, kRulesOfVersion1, std::move(receives), std::move(sends),
                                         nullptr);
            },
            nd1_made_face_status);
        if (!core.ok()) return to_nd1_made(core.status());
        const Nd1Endpoint::Limits own{
            number(inbound_sges), number(outbound_sges), {number(inbound_reads), number(outbound_reads)}};
        const Ref<Nd1Endpoint> made = endpoint_over(core.value(), own, registrations_);
        {
            const Held lock(mutex_);
            if (!endpoint_) endpoint_ = made;
        }
        if (this->endpoint() != made) {
            core.value()->close();
            return refuse_second_endpoint(site);
        }
        if (max_inline_data) *max_inline_data = limits.inline_bytes;
        void* object = nullptr;
        made->hand_out(&object);
        *endpoint = static_cast<INDEndpoint*>(object);
        return ND_SUCCESS;
    });
}

}  // namespace opennd
