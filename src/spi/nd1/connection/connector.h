// SPDX-License-Identifier: MIT
// INDConnector. connector_state.h says when each method may be called, core/connection/connector.h has the rest.
#pragma once

#include <string_view>

#include "base/lock.h"
#include "core/connection/connector.h"
#include "core/connection/listener.h"
#include "spi/nd1/call/overlapped_object.h"
#include "spi/nd1/connection/connector_state.h"
#include "spi/nd1/memory/registrations.h"
#include "spi/nd1/queue/endpoint.h"

namespace opennd {

// The object's name in explanations.
inline constexpr std::string_view kConnector = "connector";

class Nd1Connector final : public Nd1OverlappedObject<Nd1Connector, INDConnector, Connector> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x11, 0x04}};

    // `own` is the adapter's address.
    Nd1Connector(Ref<Nd1File> file, Ref<Adapter> adapter, const Address& own, Ref<Registrations> registrations,
                 Ref<Connector> core)
        : Nd1OverlappedObject(std::move(file), std::move(core)),
          adapter_(std::move(adapter)),
          own_(own),
          registrations_(std::move(registrations)) {}

    HRESULT STDMETHODCALLTYPE CreateEndpoint(INDCompletionQueue* inbound, INDCompletionQueue* outbound,
                                             SIZE_T inbound_entries, SIZE_T outbound_entries, SIZE_T inbound_sges,
                                             SIZE_T outbound_sges, SIZE_T inbound_reads, SIZE_T outbound_reads,
                                             SIZE_T* max_inline_data, INDEndpoint** endpoint) noexcept override;
    HRESULT STDMETHODCALLTYPE Connect(INDEndpoint* endpoint, const sockaddr* address, SIZE_T address_bytes,
                                      INT protocol, USHORT local_port, const VOID* private_data, SIZE_T private_bytes,
                                      OVERLAPPED* overlapped) noexcept override;
    HRESULT STDMETHODCALLTYPE CompleteConnect(OVERLAPPED* overlapped) noexcept override;
    HRESULT STDMETHODCALLTYPE Accept(INDEndpoint* endpoint, const VOID* private_data, SIZE_T private_bytes,
                                     OVERLAPPED* overlapped) noexcept override;
    HRESULT STDMETHODCALLTYPE Reject(const VOID* private_data, SIZE_T private_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE GetConnectionData(SIZE_T* inbound_reads, SIZE_T* outbound_reads, VOID* private_data,
                                                SIZE_T* private_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE GetLocalAddress(sockaddr* address, SIZE_T* address_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE GetPeerAddress(sockaddr* address, SIZE_T* address_bytes) noexcept override;
    HRESULT STDMETHODCALLTYPE NotifyDisconnect(OVERLAPPED* overlapped) noexcept override;
    HRESULT STDMETHODCALLTYPE Disconnect(OVERLAPPED* overlapped) noexcept override;
    // The explanation of a failure names the connection.
    HRESULT STDMETHODCALLTYPE GetOverlappedResult(OVERLAPPED* overlapped, SIZE_T* bytes, BOOL wait) noexcept override;

    // ND_SUCCESS if the method may be called now; otherwise its status, explained. If the peer has given up, the
    // methods that answer it find out here, and the connector is used up.
    HRESULT check(Nd1ConnectorMethod method) noexcept;

private:
    void close() override;
    // The endpoint made here, which `argument` must be; null otherwise (ND1-CN-CONN-02).
    Ref<Nd1Endpoint> own_endpoint(INDEndpoint* argument) const EXCLUDES(mutex_);
    Ref<Nd1Endpoint> endpoint() const EXCLUDES(mutex_);
    void end_endpoint();
    HRESULT check_limits(const Site& site, const std::size_t (&wanted)[6]) const;

    // Constant after construction.
    const Ref<Adapter> adapter_;
    const Address own_;
    const Ref<Registrations> registrations_;

    mutable Mutex mutex_;                           // nothing is called under it
    Ref<Nd1Endpoint> endpoint_ GUARDED_BY(mutex_);  // null until CreateEndpoint; then the same for good
};

// INDListen. Read core/connection/listener.h for the rules.
class Nd1Listen final : public Nd1OverlappedObject<Nd1Listen, INDListen, Listener> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x11, 0x05}};
    using Nd1OverlappedObject::Nd1OverlappedObject;

    HRESULT STDMETHODCALLTYPE GetConnectionRequest(INDConnector* connector, OVERLAPPED* overlapped) noexcept override;
};

}  // namespace opennd
