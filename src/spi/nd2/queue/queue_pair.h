// SPDX-License-Identifier: MIT
// IND2QueuePair: flags and ND2_SGE arrays in, one work request out. Next: core/queue/queue_pair.h.
#pragma once

#include "base/ref.h"
#include "core/queue/queue_pair.h"
#include "spi/com_object.h"

namespace opennd {

class Nd2QueuePair final : public ComObject<Nd2QueuePair, IND2ImmediateQueuePair, IND2QueuePair, IUnknown> {
public:
    using ShownInterface = IND2QueuePair;
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x10, 0x01}};
    using Core = QueuePair;

    explicit Nd2QueuePair(Ref<QueuePair> core) : core_(std::move(core)) {}

    const Ref<QueuePair>& core() const { return core_; }

    HRESULT STDMETHODCALLTYPE QueryInterface(REFIID iid, LPVOID* object) noexcept override;
    HRESULT STDMETHODCALLTYPE Flush() noexcept override;
    HRESULT STDMETHODCALLTYPE Send(VOID* context, const ND2_SGE sges[], ULONG count, ULONG flags) noexcept override;
    HRESULT STDMETHODCALLTYPE Receive(VOID* context, const ND2_SGE sges[], ULONG count) noexcept override;
    HRESULT STDMETHODCALLTYPE Bind(VOID* context, IUnknown* memory_region, IUnknown* memory_window, const VOID* buffer,
                                   SIZE_T bytes, ULONG flags) noexcept override;
    HRESULT STDMETHODCALLTYPE Invalidate(VOID* context, IUnknown* memory_window, ULONG flags) noexcept override;
    HRESULT STDMETHODCALLTYPE Read(VOID* context, const ND2_SGE sges[], ULONG count, UINT64 remote_address,
                                   UINT32 remote_token, ULONG flags) noexcept override;
    HRESULT STDMETHODCALLTYPE Write(VOID* context, const ND2_SGE sges[], ULONG count, UINT64 remote_address,
                                    UINT32 remote_token, ULONG flags) noexcept override;
    HRESULT STDMETHODCALLTYPE SendWithImmediate(VOID* context, const ND2_SGE sges[], ULONG count, ULONG flags,
                                                UINT32 immediate) noexcept override;
    HRESULT STDMETHODCALLTYPE WriteWithImmediate(VOID* context, const ND2_SGE sges[], ULONG count,
                                                 UINT64 remote_address, UINT32 remote_token, ULONG flags,
                                                 UINT32 immediate) noexcept override;

private:
    void close() override { core_->close(); }
    HRESULT post(WorkRequest& request, const ND2_SGE sges[], ULONG count) noexcept;
    HRESULT post_many(WorkRequest& request, const ND2_SGE sges[], ULONG count) noexcept;

    const Ref<QueuePair> core_;
};

}  // namespace opennd
