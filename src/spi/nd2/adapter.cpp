// SPDX-License-Identifier: MIT
// See adapter.h.
#include "spi/nd2/adapter.h"

#include "base/log.h"
#include "core/completion_queue.h"
#include "core/connector.h"
#include "core/listener.h"
#include "core/memory_region.h"
#include "core/queue_pair.h"
#include "core/shared_receive_queue.h"
#include "platform/handle_table.h"
#include "spi/nd2/adapter_info.h"
#include "spi/nd2/address_buffer.h"
#include "spi/nd2/argument.h"
#include "spi/nd2/completion_queue.h"
#include "spi/nd2/connector.h"
#include "spi/nd2/listener.h"
#include "spi/nd2/memory_region.h"
#include "spi/nd2/memory_window.h"
#include "spi/nd2/queue_pair.h"
#include "spi/nd2/shared_receive_queue.h"

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

// `what` is asked to be above what the adapter can: says so.
HRESULT over_limit(const char* what, ULONG asked, ULONG limit, HRESULT status) {
    log(LogLevel::warn, "adapter: {} {}, but it can do {}; ask IND2Adapter::Query for the limits", what, asked, limit);
    return status;
}

HRESULT no_shared_receive_queues(const char* call) {
    log(LogLevel::warn, "adapter: {}, but MaxSharedReceiveQueueDepth is 0; use CreateQueuePair", call);
    return ND_NOT_SUPPORTED;
}

}  // namespace

// Null: not an overlapped file, or one of another adapter instance (ND2-FILE-07).
Ref<OverlappedFile> Nd2Adapter::find_file(HANDLE file) const {
    Ref<OverlappedFile> found = handle_table().find<OverlappedFile>(file);
    return found && found->owner() == core_.get() ? found : nullptr;
}

HRESULT Nd2Adapter::CreateOverlappedFile(HANDLE* file) noexcept {
    return at_face([&]() -> HRESULT {
        if (file == nullptr) return ND_INVALID_PARAMETER;
        *file = handle_table().insert(make_ref<OverlappedFile>(core_.get()));
        return *file ? ND_SUCCESS : ND_INSUFFICIENT_RESOURCES;
    });
}

HRESULT Nd2Adapter::Query(ND2_ADAPTER_INFO* info, ULONG* info_bytes) noexcept {
    if (info_bytes == nullptr) return ND_INVALID_PARAMETER;
    const bool fits = info != nullptr && *info_bytes >= sizeof(ND2_ADAPTER_INFO);
    *info_bytes = sizeof(ND2_ADAPTER_INFO);
    if (!fits) return ND_BUFFER_OVERFLOW;
    *info = adapter_info(*core_);
    return ND_SUCCESS;
}

HRESULT Nd2Adapter::QueryAddressList(SOCKET_ADDRESS_LIST* list, ULONG* list_bytes) noexcept {
    return at_face([&] { return give_address_list(std::span(&core_->address(), 1), list, list_bytes); });
}

HRESULT Nd2Adapter::CreateCompletionQueue(REFIID iid, HANDLE file_handle, ULONG depth, USHORT, KAFFINITY,
                                          VOID** completion_queue) noexcept {
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2CompletionQueue>(iid, completion_queue); FAILED(bad)) return bad;
        const Ref<OverlappedFile> file = find_file(file_handle);
        if (!file) return ND_INVALID_HANDLE;
        const ULONG maximum = core_->limits().max_completion_depth;
        if (depth == 0 || depth > maximum)
            return over_limit("completion queue depth", depth, maximum, ND_INVALID_PARAMETER_3);
        const Result<Ref<CompletionQueue>> core = CompletionQueue::create(core_, depth);
        if (!core.ok()) return to_hresult(core.status());
        return make_face<Nd2CompletionQueue>(completion_queue, core.value(), file);
    });
}

HRESULT Nd2Adapter::CreateMemoryRegion(REFIID iid, HANDLE file_handle, VOID** memory_region) noexcept {
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2MemoryRegion>(iid, memory_region); FAILED(bad)) return bad;
        const Ref<OverlappedFile> file = find_file(file_handle);
        if (!file) return ND_INVALID_HANDLE;
        return make_face<Nd2MemoryRegion>(memory_region, make_ref<MemoryRegion>(core_), file);
    });
}

HRESULT Nd2Adapter::CreateSharedReceiveQueue(REFIID iid, HANDLE file_handle, ULONG depth, ULONG sges, ULONG threshold,
                                             USHORT, KAFFINITY, VOID** shared_receive_queue) noexcept {
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2SharedReceiveQueue>(iid, shared_receive_queue); FAILED(bad)) return bad;
        const Ref<OverlappedFile> file = find_file(file_handle);
        if (!file) return ND_INVALID_HANDLE;
        const ND2_ADAPTER_INFO can = adapter_info(*core_);
        if (can.MaxSharedReceiveQueueDepth == 0) return no_shared_receive_queues("CreateSharedReceiveQueue");
        if (depth == 0 || depth > can.MaxSharedReceiveQueueDepth)
            return over_limit("shared receive queue depth", depth, can.MaxSharedReceiveQueueDepth,
                              ND_INVALID_PARAMETER_3);
        if (sges > can.MaxReceiveSge)
            return over_limit("receive SGEs", sges, can.MaxReceiveSge, ND_INVALID_PARAMETER_4);
        if (threshold > depth) {
            log(LogLevel::warn,
                "adapter: notify threshold {} of a shared receive queue of depth {}; give at most the depth", threshold,
                depth);
            return ND_INVALID_PARAMETER_5;
        }
        const Result<Ref<SharedReceiveQueue>> core = SharedReceiveQueue::create(core_, {depth, sges, threshold});
        if (!core.ok()) return to_hresult(core.status());
        return make_face<Nd2SharedReceiveQueue>(shared_receive_queue, core.value(), file);
    });
}

HRESULT Nd2Adapter::check_queue_pair(const QueuePairLimits& wanted, const ParameterStatuses& statuses) const {
    const ND2_ADAPTER_INFO can = adapter_info(*core_);
    if (wanted.receive_depth > can.MaxReceiveQueueDepth)
        return over_limit("receive queue depth", wanted.receive_depth, can.MaxReceiveQueueDepth,
                          statuses.receive_depth);
    if (wanted.initiator_depth > can.MaxInitiatorQueueDepth)
        return over_limit("initiator queue depth", wanted.initiator_depth, can.MaxInitiatorQueueDepth,
                          statuses.initiator_depth);
    if (wanted.receive_sges > can.MaxReceiveSge)
        return over_limit("receive SGEs", wanted.receive_sges, can.MaxReceiveSge, statuses.receive_sges);
    if (wanted.initiator_sges > can.MaxInitiatorSge)
        return over_limit("initiator SGEs", wanted.initiator_sges, can.MaxInitiatorSge, statuses.initiator_sges);
    if (wanted.inline_bytes > can.MaxInlineDataSize)
        return over_limit("inline data size", wanted.inline_bytes, can.MaxInlineDataSize, statuses.inline_bytes);
    return ND_SUCCESS;
}

HRESULT Nd2Adapter::CreateQueuePair(REFIID iid, IUnknown* receive_completion_queue,
                                    IUnknown* initiator_completion_queue, VOID* context, ULONG receive_depth,
                                    ULONG initiator_depth, ULONG receive_sges, ULONG initiator_sges, ULONG inline_bytes,
                                    VOID** queue_pair) noexcept {
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2QueuePair>(iid, queue_pair); FAILED(bad)) return bad;
        const Ref<CompletionQueue> receives = core_of<Nd2CompletionQueue>(receive_completion_queue, *core_);
        if (!receives) return ND_INVALID_PARAMETER_2;
        const Ref<CompletionQueue> initiators = core_of<Nd2CompletionQueue>(initiator_completion_queue, *core_);
        if (!initiators) return ND_INVALID_PARAMETER_3;
        const QueuePairLimits wanted{receive_depth, initiator_depth, receive_sges, initiator_sges, inline_bytes};
        constexpr ParameterStatuses kStatuses{
            .receive_depth = ND_INVALID_PARAMETER_5,
            .initiator_depth = ND_INVALID_PARAMETER_6,
            .receive_sges = ND_INVALID_PARAMETER_7,
            .initiator_sges = ND_INVALID_PARAMETER_8,
            .inline_bytes = ND_INVALID_PARAMETER_9,
        };
        if (const HRESULT bad = check_queue_pair(wanted, kStatuses); FAILED(bad)) return bad;
        const Result<Ref<QueuePair>> core = core_->create_queue_pair(wanted, receives, initiators, context);
        if (!core.ok()) return to_hresult(core.status());
        return make_face<Nd2QueuePair>(queue_pair, core.value());
    });
}

HRESULT Nd2Adapter::CreateQueuePairWithSrq(REFIID iid, IUnknown* receive_completion_queue,
                                           IUnknown* initiator_completion_queue, IUnknown* shared_receive_queue,
                                           VOID* context, ULONG initiator_depth, ULONG initiator_sges,
                                           ULONG inline_bytes, VOID** queue_pair) noexcept {
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2QueuePair>(iid, queue_pair); FAILED(bad)) return bad;
        const Ref<CompletionQueue> receives = core_of<Nd2CompletionQueue>(receive_completion_queue, *core_);
        if (!receives) return ND_INVALID_PARAMETER_2;
        const Ref<CompletionQueue> initiators = core_of<Nd2CompletionQueue>(initiator_completion_queue, *core_);
        if (!initiators) return ND_INVALID_PARAMETER_3;
        if (core_->limits().max_shared_receive_depth == 0) return no_shared_receive_queues("CreateQueuePairWithSrq");
        const Ref<SharedReceiveQueue> shared = core_of<Nd2SharedReceiveQueue>(shared_receive_queue, *core_);
        if (!shared) return ND_INVALID_PARAMETER_4;
        const QueuePairLimits wanted{0, initiator_depth, 0, initiator_sges, inline_bytes};
        constexpr ParameterStatuses kStatuses{
            .receive_depth = ND_SUCCESS,  // the receive limits are the shared queue's
            .initiator_depth = ND_INVALID_PARAMETER_6,
            .receive_sges = ND_SUCCESS,
            .initiator_sges = ND_INVALID_PARAMETER_7,
            .inline_bytes = ND_INVALID_PARAMETER_8,
        };
        if (const HRESULT bad = check_queue_pair(wanted, kStatuses); FAILED(bad)) return bad;
        const Result<Ref<QueuePair>> core = core_->create_queue_pair(wanted, receives, initiators, context, shared);
        if (!core.ok()) return to_hresult(core.status());
        return make_face<Nd2QueuePair>(queue_pair, core.value());
    });
}

HRESULT Nd2Adapter::CreateConnector(REFIID iid, HANDLE file_handle, VOID** connector) noexcept {
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2Connector>(iid, connector); FAILED(bad)) return bad;
        const Ref<OverlappedFile> file = find_file(file_handle);
        if (!file) return ND_INVALID_HANDLE;
        return make_face<Nd2Connector>(connector, make_ref<Connector>(core_), file);
    });
}

HRESULT Nd2Adapter::CreateListener(REFIID iid, HANDLE file_handle, VOID** listener) noexcept {
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2Listener>(iid, listener); FAILED(bad)) return bad;
        const Ref<OverlappedFile> file = find_file(file_handle);
        if (!file) return ND_INVALID_HANDLE;
        return make_face<Nd2Listener>(listener, make_ref<Listener>(core_), file);
    });
}

HRESULT Nd2Adapter::CreateMemoryWindow(REFIID iid, VOID** memory_window) noexcept {
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_output<Nd2MemoryWindow>(iid, memory_window); FAILED(bad)) return bad;
        return make_face<Nd2MemoryWindow>(memory_window, make_ref<MemoryWindow>(core_));
    });
}

}  // namespace opennd
