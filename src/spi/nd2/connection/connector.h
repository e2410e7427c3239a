// SPDX-License-Identifier: MIT
// IND2Connector. Next: core/connection/connector.h.
#pragma once

#include "core/connection/connector.h"
#include "core/connection/listener.h"
#include "spi/nd2/call/overlapped_object.h"

namespace opennd {

class Nd2Connector final : public Nd2OverlappedObject<Nd2Connector, IND2Connector, Connector> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x10, 0x04}};
    using Nd2OverlappedObject::Nd2OverlappedObject;

    HRESULT STDMETHODCALLTYPE Bind(const sockaddr* address, ULONG address_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE Connect(IUnknown* queue_pair, const sockaddr* destination, ULONG destination_bytes,
                                      ULONG inbound_reads, ULONG outbound_reads, const VOID* private_data,
                                      ULONG private_bytes, OVERLAPPED* overlapped) noexcept override;
    HRESULT STDMETHODCALLTYPE CompleteConnect(OVERLAPPED* overlapped) noexcept override;
    HRESULT STDMETHODCALLTYPE Accept(IUnknown* queue_pair, ULONG inbound_reads, ULONG outbound_reads,
                                     const VOID* private_data, ULONG private_bytes,
                                     OVERLAPPED* overlapped) noexcept override;
    HRESULT STDMETHODCALLTYPE Reject(const VOID* private_data, ULONG private_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE GetReadLimits(ULONG* inbound_reads, ULONG* outbound_reads) noexcept override;
    HRESULT STDMETHODCALLTYPE GetPrivateData(VOID* private_data, ULONG* private_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE GetLocalAddress(sockaddr* address, ULONG* address_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE GetPeerAddress(sockaddr* address, ULONG* address_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE NotifyDisconnect(OVERLAPPED* overlapped) noexcept override;
    HRESULT STDMETHODCALLTYPE Disconnect(OVERLAPPED* overlapped) noexcept override;
    // The explanation of a failure names the connection.
    HRESULT STDMETHODCALLTYPE GetOverlappedResult(OVERLAPPED* overlapped, BOOL wait) noexcept override;
};

// IND2Listener. Next: core/connection/listener.h.
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
