// SPDX-License-Identifier: MIT
// See listener.h.
#include "spi/nd2/connection/listener.h"

#include <optional>

#include "spi/nd2/call/argument.h"
#include "spi/nd2/connection/connector.h"

namespace opennd {

HRESULT Nd2Listener::Bind(const sockaddr* address, ULONG address_bytes) noexcept {
    return at_face([&]() -> HRESULT {
        const std::optional<Address> wanted = Address::from(address, address_bytes);
        return wanted ? to_hresult(core_->bind(*wanted)) : refuse_address({"listener", "Bind"}, address, address_bytes);
    });
}

HRESULT Nd2Listener::Listen(ULONG backlog) noexcept {
    return at_face([&] { return to_hresult(core_->listen(backlog)); });
}

HRESULT Nd2Listener::GetLocalAddress(sockaddr* address, ULONG* address_bytes) noexcept {
    return at_face([&] {
        return give_address(
            {"listener", "GetLocalAddress"}, [&] { return core_->local_address(); }, address, address_bytes);
    });
}

HRESULT Nd2Listener::GetConnectionRequest(IUnknown* connector, OVERLAPPED* overlapped) noexcept {
    Ref<Connector> waiting = core_of<Nd2Connector>(connector, core_->adapter());
    if (!waiting)
        return refuse_object(ND_INVALID_PARAMETER_1, {"listener", "GetConnectionRequest"}, "pConnector", "connector");
    return begin(overlapped, [&](std::unique_ptr<AsyncRequest> request) {
        return core_->get_connection_request(std::move(waiting), std::move(request));
    });
}

}  // namespace opennd
