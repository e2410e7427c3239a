// SPDX-License-Identifier: MIT
// Nd1Listen: see listen.h.
#include "spi/nd1/connection/listen.h"

#include "spi/nd1/connection/connector.h"

namespace opennd {

HRESULT Nd1Listen::GetConnectionRequest(INDConnector* connector, OVERLAPPED* overlapped) noexcept {
    constexpr Site site{"listener", "GetConnectionRequest"};
    return at_nd1_face([&]() -> HRESULT {
        const Ref<Nd1Connector> waiting = own_object<Nd1Connector>(connector);
        if (!waiting || &waiting->core()->adapter() != &core_->adapter())
            return refuse_nd1_object(ND_INVALID_PARAMETER_1, site, "pConnector", "connector", "ND1-LS-GCR-02");
        if (overlapped == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_2, site, "pOverlapped");
        if (const HRESULT bad = waiting->check(Nd1ConnectorMethod::get_connection_request); FAILED(bad)) return bad;
        return begin(overlapped, site, "ND1-LS-GCR-02", [&](std::unique_ptr<AsyncRequest> request) {
            return core_->get_connection_request(waiting->core(), std::move(request));
        });
    });
}

}  // namespace opennd
