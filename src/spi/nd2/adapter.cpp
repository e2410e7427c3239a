// SPDX-License-Identifier: MIT
// See adapter.h.
#include "spi/nd2/adapter.h"

#include "core/connection/connector.h"
#include "core/connection/listener.h"
#include "core/memory/memory_region.h"
#include "core/queue/completion_queue.h"
#include "core/queue/queue_pair.h"
#include "core/queue/shared_receive_queue.h"
#include "platform/waiting/handle_table.h"
#include "spi/nd2/call/adapter_info.h"
#include "spi/nd2/call/argument.h"
#include "spi/nd2/connection/connector.h"
#include "spi/nd2/memory/memory_region.h"
#include "spi/nd2/queue/completion_queue.h"
#include "spi/nd2/queue/queue_pair.h"
#include "spi/nd2/queue/shared_receive_queue.h"

namespace opennd {
namespace {

// Gives the program a face of `core`. A core object that gets none is closed again.
template <typename Face, typename Core, typename... Args>
HRESULT make_face(VOID** object, const Ref<Core>& core, Args&&... args) {
    try {
        make_ref<Face>(std::forward<Args>(args)..., core)->hand_out(object);
    } catch (...) {
        core->close();
        throw;
    }
    return ND_SUCCESS;
}

// A number that must lie within a limit of the adapter does not.
[[gnu::cold]] HRESULT over_limit(HRESULT status, std::string_view operation, std::string_view what, ULONG asked,
                                 ULONG least, ULONG limit, std::string_view requirement,
                                 std::string_view imposer = {}) {
    return explain(status, {.object = "adapter",
                            .operation = operation,
                            .asked = phrase("{} {}", what, asked),
                            .limit = least == 0 ? phrase("{}", limit) : phrase("{} to {}", least, limit),
                            .remedy = "stay within the limits of IND2Adapter::Query",
                            .requirement = requirement,
                            .imposed_by = imposer});
}

[[gnu::cold]] HRESULT refuse_file(const Site& site, HANDLE handle) {
    return refuse_handle(site, handle, "overlapped file of this adapter", "ND2-FILE-07");
}

[[gnu::cold]] HRESULT no_shared_receive_queues(const Site& site, const Adapter& adapter) {
    return explain(ND_NOT_SUPPORTED, {.object = site.object,
                                      .operation = site.operation,
                                      .asked = "a shared receive queue",
                                      .limit = "none: MaxSharedReceiveQueueDepth is 0",
                                      .remedy = "use CreateQueuePair",
                                      .requirement = "ND2-ADP-SRQ-01",
                                      .imposed_by = adapter.imposer(&AdapterLimits::max_shared_receive_depth, 0)});
}

}  // namespace

// The file of this handle; null: not an overlapped file, or one of another adapter instance (ND2-FILE-07).
Ref<OverlappedFile> Nd2Adapter::find_file(HANDLE file) const {
    Ref<OverlappedFile> found = handle_table().find<OverlappedFile>(file);
    return found && found->owner() == core_.get() ? found : nullptr;
}

HRESULT Nd2Adapter::CreateOverlappedFile(HANDLE* file) noexcept {
    constexpr Site site{"adapter", "CreateOverlappedFile"};
    return at_face([&]() -> HRESULT {
        if (file == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "phOverlappedFile");
        *file = handle_table().insert(make_ref<OverlappedFile>(core_.get()));
        return *file ? ND_SUCCESS : ND_INSUFFICIENT_RESOURCES;
    });
}

HRESULT Nd2Adapter::Query(ND2_ADAPTER_INFO* info, ULONG* info_bytes) noexcept {
    constexpr Site site{"adapter", "Query"};
    if (info_bytes == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "pcbInfo");
    const ULONG room = info ? *info_bytes : 0;
    if (AdapterInfoSizes::give(adapter_info(*core_), info, room, *info_bytes)) return ND_SUCCESS;
    return refuse_room(site, room, *info_bytes, "ND2-ADP-QUERY-01");
}

HRESULT Nd2Adapter::QueryAddressList(SOCKET_ADDRESS_LIST* list, ULONG* list_bytes) noexcept {
    return at_face([&] {
        return give_address_list({"adapter", "QueryAddressList"}, core_->addresses(), list, list_bytes);
    });
}

HRESULT Nd2Adapter::CreateCompletionQueue(REFIID iid, HANDLE file_handle, ULONG depth, USHORT group, KAFFINITY affinity,
                                          VOID** completion_queue) noexcept {
    constexpr Site site{"adapter", "CreateCompletionQueue"};
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2CompletionQueue>(site, iid, completion_queue); FAILED(bad)) return bad;
        if (const HRESULT bad = check_immediate<IND2ImmediateCompletionQueue>(site, iid, *core_); FAILED(bad))
            return bad;
        const Ref<OverlappedFile> file = find_file(file_handle);
        if (!file) return refuse_file(site, file_handle);
        const ULONG maximum = core_->limits().max_completion_depth;
        if (depth == 0 || depth > maximum)
            return over_limit(ND_INVALID_PARAMETER_3, site.operation, "completion queue depth", depth, 1, maximum,
                              "ND2-ADP-CQ-01", core_->imposer(&AdapterLimits::max_completion_depth, maximum));
        const Result<Ref<CompletionQueue>> core =
            CompletionQueue::create(core_, depth, NotifyRule::level, nullptr, {group, affinity});
        if (!core.ok()) return to_hresult(core.status());
        return make_face<Nd2CompletionQueue>(completion_queue, core.value(), file);
    });
}

HRESULT Nd2Adapter::CreateMemoryRegion(REFIID iid, HANDLE file_handle, VOID** memory_region) noexcept {
    constexpr Site site{"adapter", "CreateMemoryRegion"};
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2MemoryRegion>(site, iid, memory_region); FAILED(bad)) return bad;
        const Ref<OverlappedFile> file = find_file(file_handle);
        if (!file) return refuse_file(site, file_handle);
        return make_face<Nd2MemoryRegion>(memory_region, make_ref<MemoryRegion>(core_), file);
    });
}

HRESULT Nd2Adapter::CreateSharedReceiveQueue(REFIID iid, HANDLE file_handle, ULONG depth, ULONG sges, ULONG threshold,
                                             USHORT, KAFFINITY, VOID** shared_receive_queue) noexcept {
    constexpr Site site{"adapter", "CreateSharedReceiveQueue"};
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2SharedReceiveQueue>(site, iid, shared_receive_queue); FAILED(bad))
            return bad;
        const Ref<OverlappedFile> file = find_file(file_handle);
        if (!file) return refuse_file(site, file_handle);
        const ND2_ADAPTER_INFO can = adapter_info(*core_);
        if (can.MaxSharedReceiveQueueDepth == 0) return no_shared_receive_queues(site, *core_);
        if (depth == 0 || depth > can.MaxSharedReceiveQueueDepth)
            return over_limit(ND_INVALID_PARAMETER_3, site.operation, "shared receive queue depth", depth, 1,
                              can.MaxSharedReceiveQueueDepth, "ND2-ADP-SRQ-01",
                              core_->imposer(&AdapterLimits::max_shared_receive_depth, can.MaxSharedReceiveQueueDepth));
        if (sges > can.MaxReceiveSge)
            return over_limit(ND_INVALID_PARAMETER_4, site.operation, "receive SGEs", sges, 0, can.MaxReceiveSge,
                              "ND2-ADP-SRQ-01", core_->imposer(&AdapterLimits::max_receive_sges, can.MaxReceiveSge));
        if (threshold > depth)
            return over_limit(ND_INVALID_PARAMETER_5, site.operation, "notify threshold", threshold, 0, depth,
                              "ND2-ADP-SRQ-01");
        const Result<Ref<SharedReceiveQueue>> core = SharedReceiveQueue::create(core_, {depth, sges, threshold});
        if (!core.ok()) return to_hresult(core.status());
        return make_face<Nd2SharedReceiveQueue>(shared_receive_queue, core.value(), file);
    });
}

HRESULT Nd2Adapter::check_queue_pair(const Site& site, const QueuePairLimits& wanted,
                                     const ParameterStatuses& statuses) const {
    const ND2_ADAPTER_INFO can = adapter_info(*core_);
    if (wanted.receive_depth > can.MaxReceiveQueueDepth)
        return over_limit(statuses.receive_depth, site.operation, "receive queue depth", wanted.receive_depth, 0,
                          can.MaxReceiveQueueDepth, "ND2-ADP-QP-01",
                          core_->imposer(&AdapterLimits::max_receive_depth, can.MaxReceiveQueueDepth));
    if (wanted.initiator_depth > can.MaxInitiatorQueueDepth)
        return over_limit(statuses.initiator_depth, site.operation, "initiator queue depth", wanted.initiator_depth, 0,
                          can.MaxInitiatorQueueDepth, "ND2-ADP-QP-01",
                          core_->imposer(&AdapterLimits::max_initiator_depth, can.MaxInitiatorQueueDepth));
    if (wanted.receive_sges > can.MaxReceiveSge)
        return over_limit(statuses.receive_sges, site.operation, "receive SGEs", wanted.receive_sges, 0,
                          can.MaxReceiveSge, "ND2-ADP-QP-01",
                          core_->imposer(&AdapterLimits::max_receive_sges, can.MaxReceiveSge));
    if (wanted.initiator_sges > can.MaxInitiatorSge)
        return over_limit(statuses.initiator_sges, site.operation, "initiator SGEs", wanted.initiator_sges, 0,
                          can.MaxInitiatorSge, "ND2-ADP-QP-01",
                          core_->imposer(&AdapterLimits::max_initiator_sges, can.MaxInitiatorSge));
    if (wanted.inline_bytes > can.MaxInlineDataSize)
        return over_limit(statuses.inline_bytes, site.operation, "inline data size", wanted.inline_bytes, 0,
                          can.MaxInlineDataSize, "ND2-ADP-QP-01",
                          core_->imposer(&AdapterLimits::max_inline_bytes, can.MaxInlineDataSize));
    return ND_SUCCESS;
}

HRESULT Nd2Adapter::CreateQueuePair(REFIID iid, IUnknown* receive_completion_queue,
                                    IUnknown* initiator_completion_queue, VOID* context, ULONG receive_depth,
                                    ULONG initiator_depth, ULONG receive_sges, ULONG initiator_sges, ULONG inline_bytes,
                                    VOID** queue_pair) noexcept {
    constexpr Site site{"adapter", "CreateQueuePair"};
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2QueuePair>(site, iid, queue_pair); FAILED(bad)) return bad;
        if (const HRESULT bad = check_immediate<IND2ImmediateQueuePair>(site, iid, *core_); FAILED(bad)) return bad;
        const Ref<CompletionQueue> receives = core_of<Nd2CompletionQueue>(receive_completion_queue, *core_);
        if (!receives) return refuse_object(ND_INVALID_PARAMETER_2, site, "receiveCompletionQueue", "completion queue");
        const Ref<CompletionQueue> initiators = core_of<Nd2CompletionQueue>(initiator_completion_queue, *core_);
        if (!initiators)
            return refuse_object(ND_INVALID_PARAMETER_3, site, "initiatorCompletionQueue", "completion queue");
        const QueuePairLimits wanted{receive_depth, initiator_depth, receive_sges, initiator_sges, inline_bytes};
        constexpr ParameterStatuses kStatuses{
            .receive_depth = ND_INVALID_PARAMETER_5,
            .initiator_depth = ND_INVALID_PARAMETER_6,
            .receive_sges = ND_INVALID_PARAMETER_7,
            .initiator_sges = ND_INVALID_PARAMETER_8,
            .inline_bytes = ND_INVALID_PARAMETER_9,
        };
        if (const HRESULT bad = check_queue_pair(site, wanted, kStatuses); FAILED(bad)) return bad;
        const Result<Ref<QueuePair>> core = QueuePair::create(core_, wanted, {}, receives, initiators, context);
        if (!core.ok()) return to_hresult(core.status());
        return make_face<Nd2QueuePair>(queue_pair, core.value());
    });
}

HRESULT Nd2Adapter::CreateQueuePairWithSrq(REFIID iid, IUnknown* receive_completion_queue,
                                           IUnknown* initiator_completion_queue, IUnknown* shared_receive_queue,
                                           VOID* context, ULONG initiator_depth, ULONG initiator_sges,
                                           ULONG inline_bytes, VOID** queue_pair) noexcept {
    constexpr Site site{"adapter", "CreateQueuePairWithSrq"};
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2QueuePair>(site, iid, queue_pair); FAILED(bad)) return bad;
        if (const HRESULT bad = check_immediate<IND2ImmediateQueuePair>(site, iid, *core_); FAILED(bad)) return bad;
        const Ref<CompletionQueue> receives = core_of<Nd2CompletionQueue>(receive_completion_queue, *core_);
        if (!receives) return refuse_object(ND_INVALID_PARAMETER_2, site, "receiveCompletionQueue", "completion queue");
        const Ref<CompletionQueue> initiators = core_of<Nd2CompletionQueue>(initiator_completion_queue, *core_);
        if (!initiators)
            return refuse_object(ND_INVALID_PARAMETER_3, site, "initiatorCompletionQueue", "completion queue");
        if (core_->limits().max_shared_receive_depth == 0) return no_shared_receive_queues(site, *core_);
        const Ref<SharedReceiveQueue> shared = core_of<Nd2SharedReceiveQueue>(shared_receive_queue, *core_);
        if (!shared) return refuse_object(ND_INVALID_PARAMETER_4, site, "sharedReceiveQueue", "shared receive queue");
        const QueuePairLimits wanted{0, initiator_depth, 0, initiator_sges, inline_bytes};
        constexpr ParameterStatuses kStatuses{
            .receive_depth = ND_SUCCESS,  // the receive limits are the shared queue's
            .initiator_depth = ND_INVALID_PARAMETER_6,
            .receive_sges = ND_SUCCESS,
            .initiator_sges = ND_INVALID_PARAMETER_7,
            .inline_bytes = ND_INVALID_PARAMETER_8,
        };
        if (const HRESULT bad = check_queue_pair(site, wanted, kStatuses); FAILED(bad)) return bad;
        const Result<Ref<QueuePair>> core = QueuePair::create(core_, wanted, {}, receives, initiators, context, shared);
        if (!core.ok()) return to_hresult(core.status());
        return make_face<Nd2QueuePair>(queue_pair, core.value());
    });
}

HRESULT Nd2Adapter::CreateConnector(REFIID iid, HANDLE file_handle, VOID** connector) noexcept {
    constexpr Site site{"adapter", "CreateConnector"};
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2Connector>(site, iid, connector); FAILED(bad)) return bad;
        const Ref<OverlappedFile> file = find_file(file_handle);
        if (!file) return refuse_file(site, file_handle);
        return make_face<Nd2Connector>(connector, make_ref<Connector>(core_), file);
    });
}

HRESULT Nd2Adapter::CreateListener(REFIID iid, HANDLE file_handle, VOID** listener) noexcept {
    constexpr Site site{"adapter", "CreateListener"};
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2Listener>(site, iid, listener); FAILED(bad)) return bad;
        const Ref<OverlappedFile> file = find_file(file_handle);
        if (!file) return refuse_file(site, file_handle);
        return make_face<Nd2Listener>(listener, make_ref<Listener>(core_), file);
    });
}

HRESULT Nd2Adapter::CreateMemoryWindow(REFIID iid, VOID** memory_window) noexcept {
    constexpr Site site{"adapter", "CreateMemoryWindow"};
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2MemoryWindow>(site, iid, memory_window); FAILED(bad)) return bad;
        if (const Status status = MemoryWindow::check_supported(*core_); !ok(status)) return to_hresult(status);
        return make_face<Nd2MemoryWindow>(memory_window, make_ref<MemoryWindow>(core_));
    });
}

}  // namespace opennd
