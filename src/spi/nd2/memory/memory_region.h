// SPDX-License-Identifier: MIT
// IND2MemoryRegion. Next: core/memory/memory_region.h.
#pragma once

#include "core/memory/memory_region.h"
#include "core/memory/memory_window.h"
#include "spi/com_object.h"
#include "spi/nd2/call/overlapped_object.h"

namespace opennd {

class Nd2MemoryRegion final : public Nd2OverlappedObject<Nd2MemoryRegion, IND2MemoryRegion, MemoryRegion> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x10, 0x03}};
    using Nd2OverlappedObject::Nd2OverlappedObject;

    HRESULT STDMETHODCALLTYPE Register(const VOID* buffer, SIZE_T bytes, ULONG flags,
                                       OVERLAPPED* overlapped) noexcept override;
    HRESULT STDMETHODCALLTYPE Deregister(OVERLAPPED* overlapped) noexcept override;
    UINT32 STDMETHODCALLTYPE GetLocalToken() noexcept override { return value(core_->local_token()); }
    UINT32 STDMETHODCALLTYPE GetRemoteToken() noexcept override { return value(core_->remote_token()); }
};

// IND2MemoryWindow. Next: core/memory/memory_window.h; bound and invalidated through queue_pair.h.
class Nd2MemoryWindow final : public ComObject<Nd2MemoryWindow, IND2MemoryWindow, IUnknown> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x10, 0x07}};
    using Core = MemoryWindow;

    explicit Nd2MemoryWindow(Ref<MemoryWindow> core) : core_(std::move(core)) {}

    const Ref<MemoryWindow>& core() const { return core_; }

    UINT32 STDMETHODCALLTYPE GetRemoteToken() noexcept override { return value(core_->remote_token()); }

private:
    void close() override { core_->close(); }

    const Ref<MemoryWindow> core_;
};

}  // namespace opennd
