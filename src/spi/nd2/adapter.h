// SPDX-License-Identifier: MIT
// IND2Adapter: creates the other objects of the face. Next: core/adapter/adapter.h.
#pragma once

#include "base/ref.h"
#include "core/adapter/adapter.h"
#include "platform/waiting/completion_port.h"
#include "spi/com_object.h"
#include "spi/nd2/provider.h"

namespace opennd {

class Nd2Adapter final : public ComObject<Nd2Adapter, IND2Adapter, IUnknown> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x10, 0x06}};
    using Core = Adapter;

    Nd2Adapter(Ref<Nd2Provider> provider, Ref<Adapter> core) : provider_(std::move(provider)), core_(std::move(core)) {}

    HRESULT STDMETHODCALLTYPE CreateOverlappedFile(HANDLE* file) noexcept override;
    HRESULT STDMETHODCALLTYPE Query(ND2_ADAPTER_INFO* info, ULONG* info_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE QueryAddressList(SOCKET_ADDRESS_LIST* list, ULONG* list_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE CreateCompletionQueue(REFIID iid, HANDLE file, ULONG depth, USHORT group,
                                                    KAFFINITY affinity, VOID** completion_queue) noexcept override;
    HRESULT STDMETHODCALLTYPE CreateMemoryRegion(REFIID iid, HANDLE file, VOID** memory_region) noexcept override;
    HRESULT STDMETHODCALLTYPE CreateMemoryWindow(REFIID iid, VOID** memory_window) noexcept override;
    HRESULT STDMETHODCALLTYPE CreateSharedReceiveQueue(REFIID iid, HANDLE file, ULONG depth, ULONG max_sges,
                                                       ULONG notify_threshold, USHORT group, KAFFINITY affinity,
                                                       VOID** shared_receive_queue) noexcept override;
    HRESULT STDMETHODCALLTYPE CreateQueuePair(REFIID iid, IUnknown* receive_completion_queue,
                                              IUnknown* initiator_completion_queue, VOID* context, ULONG receive_depth,
                                              ULONG initiator_depth, ULONG receive_sges, ULONG initiator_sges,
                                              ULONG inline_bytes, VOID** queue_pair) noexcept override;
    HRESULT STDMETHODCALLTYPE CreateQueuePairWithSrq(REFIID iid, IUnknown* receive_completion_queue,
                                                     IUnknown* initiator_completion_queue,
                                                     IUnknown* shared_receive_queue, VOID* context,
                                                     ULONG initiator_depth, ULONG initiator_sges, ULONG inline_bytes,
                                                     VOID** queue_pair) noexcept override;
    HRESULT STDMETHODCALLTYPE CreateConnector(REFIID iid, HANDLE file, VOID** connector) noexcept override;
    HRESULT STDMETHODCALLTYPE CreateListener(REFIID iid, HANDLE file, VOID** listener) noexcept override;

private:
    // Objects made from it go on (ND2-ADP-REL-01); gives back the provider's reference for it (ND2-COM-07).
    void close() override { provider_->adapter_closed(); }

    Ref<OverlappedFile> find_file(HANDLE file) const;
    // The statuses of values above their limits: the numbers differ between the two calls that make queue pairs.
    struct ParameterStatuses {
        HRESULT receive_depth, initiator_depth, receive_sges, initiator_sges, inline_bytes;
    };
    HRESULT check_queue_pair(const Site& site, const QueuePairLimits& wanted, const ParameterStatuses& statuses) const;

    // Constant after construction.
    const Ref<Nd2Provider> provider_;
    const Ref<Adapter> core_;
};

}  // namespace opennd
