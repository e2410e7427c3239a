// SPDX-License-Identifier: MIT
// IND2MemoryWindow. Next: core/memory/memory_window.h; bound and invalidated through queue_pair.h.
#pragma once

#include "core/memory/memory_window.h"
#include "spi/com_object.h"

namespace opennd {

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
