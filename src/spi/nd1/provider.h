// SPDX-License-Identifier: MIT
// INDProvider: lists and opens adapters.
#pragma once

#include "core/adapter/adapter_catalog.h"
#include "spi/com_object.h"

namespace opennd {

class Nd1Provider final : public ComObject<Nd1Provider, INDProvider, IUnknown> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x11, 0x08}};

    // `catalog` outlives it.
    explicit Nd1Provider(AdapterCatalog& catalog) : catalog_(catalog) {}

    HRESULT STDMETHODCALLTYPE QueryAddressList(SOCKET_ADDRESS_LIST* list, SIZE_T* list_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE OpenAdapter(const sockaddr* address, SIZE_T address_bytes,
                                          INDAdapter** adapter) noexcept override;

private:
    void close() override {}

    AdapterCatalog& catalog_;
};

}  // namespace opennd
