// SPDX-License-Identifier: MIT
// IND2Listener. Next: core/connection/listener.h.
#pragma once

#include "core/connection/listener.h"
#include "spi/nd2/call/overlapped_object.h"

namespace opennd {

class Nd2Listener final : public Nd2OverlappedObject<Nd2Listener, IND2Listener, Listener> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x10, 0x05}};
    using Nd2OverlappedObject::Nd2OverlappedObject;

    HRESULT STDMETHODCALLTYPE Bind(const sockaddr* address, ULONG address_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE Listen(ULONG backlog) noexcept override;
    HRESULT STDMETHODCALLTYPE GetLocalAddress(sockaddr* address, ULONG* address_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE GetConnectionRequest(IUnknown* connector, OVERLAPPED* overlapped) noexcept override;
};

}  // namespace opennd
