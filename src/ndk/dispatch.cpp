// SPDX-License-Identifier: MIT
// The tables, slot by slot in the order of ndkpi_dispatch.h, and under each slot which member function it is. A consumer
// may have put a table of its own into an object: nothing here is called through Dispatch (NDK-GEN-14).
#include "ndk/call/process_dispatch.h"

#include <cstdlib>

#include "base/log.h"
#include "ndk/connection/connector.h"
#include "ndk/connection/listener.h"
#include "ndk/connection/shared_endpoint.h"
#include "ndk/memory/mdl_range.h"
#include "ndk/memory/memory_region.h"
#include "ndk/memory/memory_window.h"
#include "ndk/memory/protection_domain.h"
#include "ndk/object/adapter.h"
#include "ndk/queue/completion_queue.h"
#include "ndk/queue/queue_pair.h"
#include "ndk/queue/shared_receive_queue.h"

namespace opennd {
namespace {

// ---- all objects ----------------------------------------------------------------------------------------------------

// The header is the first member of the consumer's structure.
template <typename Face, typename Seen>
NdkObject& as(NDK_OBJECT_HEADER* header) {
    return *static_cast<Face*>(reinterpret_cast<Seen*>(header));
}

// The object of this header; ends the process if the header is an adapter's or none of ours (NDK-GEN-07).
NdkObject& object_of(NDK_OBJECT_HEADER* header) {
    switch (header ? header->ObjectType : NdkObjectTypeUndefined) {
        case NdkObjectTypeQp: return as<NdkQueuePair, NDK_QP>(header);
        case NdkObjectTypeCq: return as<NdkCompletionQueue, NDK_CQ>(header);
        case NdkObjectTypeMr: return as<NdkMemoryRegion, NDK_MR>(header);
        case NdkObjectTypeMw: return as<NdkMemoryWindow, NDK_MW>(header);
        case NdkObjectTypePd: return as<NdkProtectionDomain, NDK_PD>(header);
        case NdkObjectTypeSharedEndpoint: return as<NdkSharedEndpoint, NDK_SHARED_ENDPOINT>(header);
        case NdkObjectTypeConnector: return as<NdkConnector, NDK_CONNECTOR>(header);
        case NdkObjectTypeListener: return as<NdkListener, NDK_LISTENER>(header);
        case NdkObjectTypeSrq: return as<NdkSharedReceiveQueue, NDK_SRQ>(header);
        case NdkObjectTypeUndefined:
        case NdkObjectTypeAdapter:
        case NdkObjectTypeMax: break;
    }
    log(LogLevel::error, "closing {}: it is no NDK object, or none any more; this cannot go on (NDK-GEN-07)",
        static_cast<const void*>(header));
    std::abort();
}

NTSTATUS close_object(NDK_OBJECT_HEADER* object, NDK_FN_CLOSE_COMPLETION completion, PVOID context) {
    return object_of(object).close(completion, context);
}

// There is no extension yet (NDK-EXT-01).
NTSTATUS query_extension(NDK_OBJECT_HEADER*, GUID*, NDK_VERSION, NDK_EXTENSION_INTERFACE*) {
    return STATUS_NOT_SUPPORTED;
}

// ---- adapter --------------------------------------------------------------------------------------------------------

constexpr NDK_ADAPTER_DISPATCH kAdapter = {
    .NdkQueryExtension = query_extension,
    .NdkQueryAdapterInfo = [](NDK_ADAPTER* adapter, NDK_ADAPTER_INFO* info, ULONG* bytes) -> NTSTATUS {
        return NdkAdapter::of(adapter).query(info, bytes);
    },
    .NdkCreateCq = [](NDK_ADAPTER* adapter, ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notification,
                      PVOID notification_context, GROUP_AFFINITY* affinity, NDK_FN_CREATE_COMPLETION, PVOID,
                      NDK_CQ** queue) -> NTSTATUS {
        return NdkCompletionQueue::create(NdkAdapter::of(adapter), depth, notification, notification_context, affinity,
                                          queue);
    },
    .NdkCreatePd = [](NDK_ADAPTER* adapter, NDK_FN_CREATE_COMPLETION, PVOID, NDK_PD** domain) -> NTSTATUS {
        return NdkProtectionDomain::create(NdkAdapter::of(adapter), domain);
    },
    .NdkCreateSharedEndpoint = [](NDK_ADAPTER* adapter, PSOCKADDR address, ULONG bytes, NDK_FN_CREATE_COMPLETION, PVOID,
                                  NDK_SHARED_ENDPOINT** endpoint) -> NTSTATUS {
        return NdkSharedEndpoint::create(NdkAdapter::of(adapter), address, bytes, endpoint);
    },
    .NdkCreateConnector = [](NDK_ADAPTER* adapter, NDK_FN_CREATE_COMPLETION, PVOID, NDK_CONNECTOR** connector)
        -> NTSTATUS { return NdkConnector::create(NdkAdapter::of(adapter), connector); },
    .NdkCreateListener = [](NDK_ADAPTER* adapter, NDK_FN_CONNECT_EVENT_CALLBACK event, PVOID event_context,
                            NDK_FN_CREATE_COMPLETION, PVOID, NDK_LISTENER** listener) -> NTSTATUS {
        return NdkListener::create(NdkAdapter::of(adapter), event, event_context, listener);
    },
    // Always at once (NDK-LAM-01).
    .NdkBuildLAM = [](NDK_ADAPTER* adapter, MDL* chain, SIZE_T bytes, NDK_FN_REQUEST_COMPLETION, PVOID,
                      NDK_LOGICAL_ADDRESS_MAPPING* mapping, ULONG* mapping_bytes, ULONG* first_byte) -> NTSTATUS {
        return build_mapping(NdkAdapter::of(adapter), chain, bytes, mapping, mapping_bytes, first_byte);
    },
    .NdkReleaseLAM = [](NDK_ADAPTER*, NDK_LOGICAL_ADDRESS_MAPPING* mapping) { release_mapping(mapping); },
};

// ---- protection domain ----------------------------------------------------------------------------------------------

constexpr NDK_PD_DISPATCH kPd = {
    .NdkClosePd = close_object,
    .NdkQueryExtension = query_extension,
    .NdkCreateMr = [](NDK_PD* domain, BOOLEAN fast, NDK_FN_CREATE_COMPLETION, PVOID, NDK_MR** region) -> NTSTATUS {
        return NdkMemoryRegion::create(NdkProtectionDomain::of(domain), fast != FALSE, region);
    },
    .NdkCreateMw = [](NDK_PD* domain, NDK_FN_CREATE_COMPLETION, PVOID, NDK_MW** window) -> NTSTATUS {
        return NdkMemoryWindow::create(NdkProtectionDomain::of(domain), window);
    },
    .NdkCreateSrq = [](NDK_PD* domain, ULONG depth, ULONG sges, ULONG threshold,
                       NDK_FN_SRQ_NOTIFICATION_CALLBACK notification, PVOID notification_context, GROUP_AFFINITY*,
                       NDK_FN_CREATE_COMPLETION, PVOID, NDK_SRQ** queue) -> NTSTATUS {
        return NdkSharedReceiveQueue::create(NdkProtectionDomain::of(domain), {depth, sges, threshold},
                                             {notification, notification_context}, queue);
    },
    .NdkCreateQp = [](NDK_PD* domain, NDK_CQ* receive_queue, NDK_CQ* initiator_queue, PVOID context,
                      ULONG receive_depth, ULONG initiator_depth, ULONG receive_sges, ULONG initiator_sges,
                      ULONG inline_bytes, NDK_FN_CREATE_COMPLETION, PVOID, NDK_QP** queue_pair) -> NTSTATUS {
        return NdkQueuePair::create(
            NdkProtectionDomain::of(domain), {receive_queue, initiator_queue, nullptr, false}, context,
            {receive_depth, initiator_depth, receive_sges, initiator_sges, inline_bytes}, queue_pair);
    },
    .NdkCreateQpWithSrq = [](NDK_PD* domain, NDK_CQ* receive_queue, NDK_CQ* initiator_queue, NDK_SRQ* shared,
                             PVOID context, ULONG initiator_depth, ULONG initiator_sges, ULONG inline_bytes,
                             NDK_FN_CREATE_COMPLETION, PVOID, NDK_QP** queue_pair) -> NTSTATUS {
        return NdkQueuePair::create(NdkProtectionDomain::of(domain), {receive_queue, initiator_queue, shared, true},
                                    context, {0, initiator_depth, 0, initiator_sges, inline_bytes}, queue_pair);
    },
    .NdkGetPrivilegedMemoryRegionToken =
        [](NDK_PD* domain, UINT32* token) { *token = NdkProtectionDomain::of(domain).privileged_token(); },
};

// ---- completion queue -----------------------------------------------------------------------------------------------

constexpr NDK_CQ_DISPATCH kCq = {
    .NdkCloseCq = close_object,
    .NdkQueryExtension = query_extension,
    .NdkResizeCq = [](NDK_CQ* queue, ULONG depth, NDK_FN_REQUEST_COMPLETION, PVOID) -> NTSTATUS {
        return NdkCompletionQueue::of(queue).resize(depth);
    },
    .NdkArmCq = [](NDK_CQ* queue, ULONG type) { NdkCompletionQueue::of(queue).arm(type); },
    .NdkGetCqResults = [](NDK_CQ* queue, NDK_RESULT results[], ULONG count) -> ULONG {
        return NdkCompletionQueue::of(queue).get_results(results, count);
    },
    .NdkControlCqInterruptModeration = [](NDK_CQ* queue, ULONG interval_us, ULONG count) -> NTSTATUS {
        return NdkCompletionQueue::of(queue).moderate(interval_us, count);
    },
    .NdkGetCqResultsEx = [](NDK_CQ* queue, NDK_RESULT_EX results[], ULONG count) -> ULONG {
        return NdkCompletionQueue::of(queue).get_results(results, count);
    },
};

// ---- queue pair -----------------------------------------------------------------------------------------------------

constexpr NDK_QP_DISPATCH kQp = {
    .NdkCloseQp = close_object,
    .NdkQueryExtension = query_extension,
    .NdkFlush = [](NDK_QP* queue_pair) { NdkQueuePair::of(queue_pair).flush(); },
    .NdkSend = [](NDK_QP* queue_pair, PVOID context, const NDK_SGE* sges, ULONG count, ULONG flags) -> NTSTATUS {
        return NdkQueuePair::of(queue_pair).send(context, sges, count, flags);
    },
    .NdkReceive = [](NDK_QP* queue_pair, PVOID context, const NDK_SGE* sges, ULONG count) -> NTSTATUS {
        return NdkQueuePair::of(queue_pair).receive(context, sges, count);
    },
    .NdkBind = [](NDK_QP* queue_pair, PVOID context, NDK_MR* region, NDK_MW* window, PVOID address, SIZE_T bytes,
                  ULONG flags) -> NTSTATUS {
        return NdkQueuePair::of(queue_pair).bind(context, region, window, address, bytes, flags);
    },
    .NdkFastRegister = [](NDK_QP* queue_pair, PVOID context, NDK_MR* region, ULONG page_count,
                          const NDK_LOGICAL_ADDRESS* pages, ULONG first_byte, SIZE_T bytes, PVOID base,
                          ULONG flags) -> NTSTATUS {
        return NdkQueuePair::of(queue_pair)
            .fast_register(context, region, {page_count, pages, first_byte, bytes, base}, flags);
    },
    .NdkInvalidate = [](NDK_QP* queue_pair, PVOID context, NDK_OBJECT_HEADER* target, ULONG flags) -> NTSTATUS {
        return NdkQueuePair::of(queue_pair).invalidate(context, target, flags);
    },
    .NdkRead = [](NDK_QP* queue_pair, PVOID context, const NDK_SGE* sges, ULONG count, UINT64 remote_address,
                  UINT32 remote_token, ULONG flags) -> NTSTATUS {
        return NdkQueuePair::of(queue_pair).read(context, sges, count, remote_address, remote_token, flags);
    },
    .NdkWrite = [](NDK_QP* queue_pair, PVOID context, const NDK_SGE* sges, ULONG count, UINT64 remote_address,
                   UINT32 remote_token, ULONG flags) -> NTSTATUS {
        return NdkQueuePair::of(queue_pair).write(context, sges, count, remote_address, remote_token, flags);
    },
    .NdkSendAndInvalidate = [](NDK_QP* queue_pair, PVOID context, const NDK_SGE* sges, ULONG count, ULONG flags,
                               UINT32 remote_token) -> NTSTATUS {
        return NdkQueuePair::of(queue_pair).send_and_invalidate(context, sges, count, flags, remote_token);
    },
};

// ---- shared receive queue -------------------------------------------------------------------------------------------

constexpr NDK_SRQ_DISPATCH kSrq = {
    .NdkCloseSrq = close_object,
    .NdkQueryExtension = query_extension,
    .NdkModifySrq = [](NDK_SRQ* queue, ULONG depth, ULONG threshold, NDK_FN_REQUEST_COMPLETION, PVOID) -> NTSTATUS {
        return NdkSharedReceiveQueue::of(queue).modify(depth, threshold);
    },
    .NdkSrqReceive = [](NDK_SRQ* queue, PVOID context, const NDK_SGE* sges, ULONG count) -> NTSTATUS {
        return NdkSharedReceiveQueue::of(queue).receive(context, sges, count);
    },
};

// ---- memory ---------------------------------------------------------------------------------------------------------

constexpr NDK_MR_DISPATCH kMr = {
    .NdkCloseMr = close_object,
    .NdkQueryExtension = query_extension,
    .NdkRegisterMr = [](NDK_MR* region, MDL* chain, SIZE_T bytes, ULONG flags, NDK_FN_REQUEST_COMPLETION,
                        PVOID) -> NTSTATUS { return NdkMemoryRegion::of(region).enroll(chain, bytes, flags); },
    .NdkDeregisterMr = [](NDK_MR* region, NDK_FN_REQUEST_COMPLETION, PVOID) -> NTSTATUS {
        return NdkMemoryRegion::of(region).withdraw();
    },
    .NdkInitializeFastRegisterMr = [](NDK_MR* region, ULONG page_count, BOOLEAN remote, NDK_FN_REQUEST_COMPLETION,
                                      PVOID) -> NTSTATUS {
        return NdkMemoryRegion::of(region).initialize(page_count, remote != FALSE);
    },
    .NdkGetRemoteTokenFromMr = [](NDK_MR* region) -> UINT32 { return NdkMemoryRegion::of(region).remote_token(); },
    .NdkGetLocalTokenFromMr = [](NDK_MR* region) -> UINT32 { return NdkMemoryRegion::of(region).local_token(); },
};

constexpr NDK_MW_DISPATCH kMw = {
    .NdkCloseMw = close_object,
    .NdkQueryExtension = query_extension,
    .NdkGetRemoteTokenFromMw = [](NDK_MW* window) -> UINT32 { return NdkMemoryWindow::of(window).remote_token(); },
};

// ---- connections ----------------------------------------------------------------------------------------------------

constexpr NDK_SHARED_ENDPOINT_DISPATCH kSharedEndpoint = {
    .NdkCloseSharedEndpoint = close_object,
    .NdkQueryExtension = query_extension,
    .NdkGetLocalAddress = [](NDK_SHARED_ENDPOINT* endpoint, PSOCKADDR address, ULONG* bytes) -> NTSTATUS {
        return NdkSharedEndpoint::of(endpoint).get_local_address(address, bytes);
    },
};

constexpr NDK_CONNECTOR_DISPATCH kConnector = {
    .NdkCloseConnector = close_object,
    .NdkQueryExtension = query_extension,
    .NdkConnect = [](NDK_CONNECTOR* connector, NDK_QP* queue_pair, PSOCKADDR source, ULONG source_bytes,
                     PSOCKADDR destination, ULONG destination_bytes, ULONG inbound, ULONG outbound, PVOID data,
                     ULONG data_bytes, NDK_FN_REQUEST_COMPLETION completion, PVOID context) -> NTSTATUS {
        return NdkConnector::of(connector).connect(
            source, source_bytes, destination, destination_bytes,
            {queue_pair, {inbound, outbound}, data, data_bytes, completion, context});
    },
    .NdkConnectWithSharedEndpoint = [](NDK_CONNECTOR* connector, NDK_QP* queue_pair, NDK_SHARED_ENDPOINT* endpoint,
                                       PSOCKADDR destination, ULONG destination_bytes, ULONG inbound, ULONG outbound,
                                       PVOID data, ULONG data_bytes, NDK_FN_REQUEST_COMPLETION completion,
                                       PVOID context) -> NTSTATUS {
        return NdkConnector::of(connector).connect_from(
            endpoint, destination, destination_bytes,
            {queue_pair, {inbound, outbound}, data, data_bytes, completion, context});
    },
    .NdkCompleteConnect = [](NDK_CONNECTOR* connector, NDK_FN_DISCONNECT_EVENT_CALLBACK event, PVOID event_context,
                             NDK_FN_REQUEST_COMPLETION completion, PVOID context) -> NTSTATUS {
        return NdkConnector::of(connector).complete_connect({event, nullptr, event_context}, completion, context);
    },
    .NdkAccept = [](NDK_CONNECTOR* connector, NDK_QP* queue_pair, ULONG inbound, ULONG outbound, PVOID data,
                    ULONG data_bytes, NDK_FN_DISCONNECT_EVENT_CALLBACK event, PVOID event_context,
                    NDK_FN_REQUEST_COMPLETION completion, PVOID context) -> NTSTATUS {
        return NdkConnector::of(connector).accept(
            {queue_pair, {inbound, outbound}, data, data_bytes, completion, context}, {event, nullptr, event_context});
    },
    .NdkReject = [](NDK_CONNECTOR* connector, PVOID data, ULONG data_bytes) -> NTSTATUS {
        return NdkConnector::of(connector).reject(data, data_bytes);
    },
    .NdkGetConnectionData = [](NDK_CONNECTOR* connector, ULONG* inbound, ULONG* outbound, PVOID data, ULONG* data_bytes)
        -> NTSTATUS { return NdkConnector::of(connector).get_data(inbound, outbound, data, data_bytes); },
    .NdkGetLocalAddress = [](NDK_CONNECTOR* connector, PSOCKADDR address, ULONG* bytes) -> NTSTATUS {
        return NdkConnector::of(connector).get_local_address(address, bytes);
    },
    .NdkGetPeerAddress = [](NDK_CONNECTOR* connector, PSOCKADDR address, ULONG* bytes) -> NTSTATUS {
        return NdkConnector::of(connector).get_peer_address(address, bytes);
    },
    .NdkDisconnect = [](NDK_CONNECTOR* connector, NDK_FN_REQUEST_COMPLETION completion, PVOID context) -> NTSTATUS {
        return NdkConnector::of(connector).disconnect(completion, context);
    },
    .NdkCompleteConnectEx = [](NDK_CONNECTOR* connector, NDK_FN_DISCONNECT_EVENT_CALLBACK_EX event, PVOID event_context,
                               NDK_FN_REQUEST_COMPLETION completion, PVOID context) -> NTSTATUS {
        return NdkConnector::of(connector).complete_connect({nullptr, event, event_context}, completion, context);
    },
    .NdkAcceptEx = [](NDK_CONNECTOR* connector, NDK_QP* queue_pair, ULONG inbound, ULONG outbound, PVOID data,
                      ULONG data_bytes, NDK_FN_DISCONNECT_EVENT_CALLBACK_EX event, PVOID event_context,
                      NDK_FN_REQUEST_COMPLETION completion, PVOID context) -> NTSTATUS {
        return NdkConnector::of(connector).accept(
            {queue_pair, {inbound, outbound}, data, data_bytes, completion, context}, {nullptr, event, event_context});
    },
};

constexpr NDK_LISTENER_DISPATCH kListener = {
    .NdkCloseListener = close_object,
    .NdkQueryExtension = query_extension,
    .NdkListen = [](NDK_LISTENER* listener, PSOCKADDR address, ULONG bytes, NDK_FN_REQUEST_COMPLETION,
                    PVOID) -> NTSTATUS { return NdkListener::of(listener).listen(address, bytes); },
    .NdkGetLocalAddress = [](NDK_LISTENER* listener, PSOCKADDR address, ULONG* bytes) -> NTSTATUS {
        return NdkListener::of(listener).get_local_address(address, bytes);
    },
    .NdkControlConnectEvents = [](NDK_LISTENER* listener,
                                  BOOLEAN pause) { NdkListener::of(listener).pause(pause != FALSE); },
};

}  // namespace

const DispatchTables kDispatch = {
    .adapter = kAdapter,
    .domain = kPd,
    .completion_queue = kCq,
    .queue_pair = kQp,
    .shared_receive_queue = kSrq,
    .region = kMr,
    .window = kMw,
    .shared_endpoint = kSharedEndpoint,
    .connector = kConnector,
    .listener = kListener,
};

}  // namespace opennd
