// SPDX-License-Identifier: MIT
// IClassFactory of the providers.
#pragma once

#include "spi/com_object.h"

namespace opennd {

// Makes a provider: of version 1 for IID_INDProvider, of version 2 otherwise. S_OK; E_NOINTERFACE; E_POINTER;
// ND_NO_MEMORY.
HRESULT create_provider(REFIID iid, void** provider) noexcept;

class ClassFactory final : public ComObject<ClassFactory, IClassFactory, IUnknown> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x10, 0x08}};

    HRESULT STDMETHODCALLTYPE CreateInstance(IUnknown* outer, REFIID iid, void** object) noexcept override;
    // The library stays loaded once it is in use; there is nothing to lock.
    HRESULT STDMETHODCALLTYPE LockServer(BOOL) noexcept override { return S_OK; }

private:
    void close() override {}
};

}  // namespace opennd
