// SPDX-License-Identifier: MIT
// IND2Provider: addresses, and adapters for them. Next: core/adapter/adapter_catalog.h.
#pragma once

#include <atomic>

#include "core/adapter/adapter_catalog.h"
#include "spi/com_object.h"

namespace opennd {

// Its count includes one reference for each open adapter (ND2-COM-07).
class Nd2Provider final : public ComObject<Nd2Provider, IND2Provider, IUnknown> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x10, 0x07}};

    // `catalog` outlives it.
    explicit Nd2Provider(AdapterCatalog& catalog) : catalog_(catalog) {}

    HRESULT STDMETHODCALLTYPE QueryAddressList(SOCKET_ADDRESS_LIST* list, ULONG* list_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE ResolveAddress(const sockaddr* address, ULONG address_bytes,
                                             UINT64* adapter_id) noexcept override;
    HRESULT STDMETHODCALLTYPE OpenAdapter(REFIID iid, UINT64 adapter_id, VOID** adapter) noexcept override;
    ULONG STDMETHODCALLTYPE Release() noexcept override;

    // The reference of an open adapter is given back.
    void adapter_closed() noexcept;

private:
    void close() override {}

    AdapterCatalog& catalog_;
    std::atomic<ULONG> adapters_{0};  // open ones. Relaxed: it counts references, and guards nothing
};

}  // namespace opennd
