// SPDX-License-Identifier: MIT
// Nd1Connector: the handshake. connector_endpoint.cpp creates the endpoint, connector_data.cpp has the queries.
#include "spi/nd1/connection/connector.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/adapter/adapter.h"
#include "core/state/refusal.h"
#include "spi/nd1/call/adapter_info.h"
#include "spi/nd1/call/status.h"
#include "spi/nd1/connection/establishing.h"

namespace opennd {
namespace {

struct Rule {
    std::string_view operation;
    std::string_view allowed;
    std::string_view remedy;
    std::string_view requirement;
};

constexpr std::array<Rule, kNd1ConnectorMethods> kRules{{
    {"CreateEndpoint", "until the connector has been used up", "create a connector for each connection",
     "ND1-CN-CREP-01"},
    {"Connect", "with an idle connector", "create a connector for each connection", "ND1-CN-CONN-14"},
    {"CompleteConnect", "after Connect has completed with ND_SUCCESS, once", "wait for the result of Connect",
     "ND1-CN-CPL-02"},
    {"Accept", "after GetConnectionRequest has completed with ND_SUCCESS, once",
     "wait for the result of GetConnectionRequest; answer each request once", "ND1-CN-ACC-06"},
    {"Reject", "on a request that has no answer yet, or instead of CompleteConnect",
     "answer each request once, with Accept or Reject", "ND1-CN-REJ-01"},
    {"GetConnectionData", "from request or reply to the end of the connection, or after a rejection that brought data",
     "wait until the other side has spoken", "ND1-CN-DATA-07"},
    {"GetLocalAddress", "from Connect or an assigned request on", "call it once a connection is made",
     "ND1-CN-ADDR-02"},
    {"GetPeerAddress", "from reply or request on", "wait until the other side has spoken", "ND1-CN-ADDR-02"},
    {"NotifyDisconnect", "once connected", "wait for CompleteConnect or Accept", "ND1-CN-NDISC-02"},
    {"Disconnect", "while connected, once", "release a connector that never connected", "ND1-CN-DISC-05"},
    {"GetConnectionRequest", "with an idle connector", "create a connector for each request", "ND1-LS-GCR-02"},
}};

HRESULT check_private_data(const Site& site, const Adapter& adapter, const VOID* data, SIZE_T bytes,
                           std::uint32_t AdapterLimits::*limit) {
    constexpr std::string_view requirement = "ND1-CN-CONN-06";
    const SIZE_T maximum = adapter.limits().*limit;
    if (bytes > maximum)
        return refuse_nd1_limit(ND_BUFFER_OVERFLOW, site, "bytes of private data:", bytes, maximum, requirement,
                                adapter.imposer(limit, maximum));
    return data != nullptr || bytes == 0 ? ND_SUCCESS : refuse_null_data(site, bytes, requirement);
}

std::span<const std::byte> as_bytes(const VOID* data, SIZE_T bytes) {
    return {static_cast<const std::byte*>(data), bytes};
}

HRESULT refuse_destination(const sockaddr* address, SIZE_T bytes, const Address& own) {
    const bool has_family = address != nullptr && bytes >= sizeof address->sa_family;
    return explain(ND_INVALID_ADDRESS,
                   {.object = kConnector,
                    .operation = "Connect",
                    .asked = phrase("a destination of family {}, {} bytes", has_family ? address->sa_family : 0, bytes),
                    .limit = phrase("one host and port, in the family of the adapter's {}", own.text(false)),
                    .remedy = "pass a sockaddr_in or sockaddr_in6 with a port, and its whole size",
                    .requirement = "ND1-CN-CONN-03"});
}

// The method of core that has the same rule of the checking layer.
constexpr ConnectorMethod core_method(Nd1ConnectorMethod method) {
    switch (method) {
        case Nd1ConnectorMethod::get_connection_request: return ConnectorMethod::get_connection_request;
        case Nd1ConnectorMethod::get_connection_data: return ConnectorMethod::get_private_data;
        case Nd1ConnectorMethod::disconnect: return ConnectorMethod::disconnect;
        default: return ConnectorMethod::connect;
    }
}

}  // namespace

HRESULT Nd1Connector::check(Nd1ConnectorMethod method) noexcept {
    const Connector::View view = core_->view();
    const Status status = opennd::check(method, view);
    if (ok(status)) return ND_SUCCESS;
    const bool answers = method == Nd1ConnectorMethod::complete_connect || method == Nd1ConnectorMethod::accept ||
                         method == Nd1ConnectorMethod::reject;
    if (status == Status::connection_aborted && answers && core_->done_if_peer_gave_up()) end_endpoint();
    const Rule& rule = kRules[static_cast<std::size_t>(method)];
    return explain(to_nd1(status),
                   {.object = kConnector,
                    .operation = rule.operation,
                    .asked = status == Status::connection_aborted
                                 ? phrase("called while {}, and the peer has given up", name(view.state))
                                 : phrase("called while {}", name(view.state)),
                    .limit = rule.allowed,
                    .remedy = rule.remedy,
                    .requirement = rule.requirement,
                    .rule = misuse_of(core_method(method), view.state, view.history)});
}

Ref<Nd1Endpoint> Nd1Connector::endpoint() const {
    const Held lock(mutex_);
    return endpoint_;
}

Ref<Nd1Endpoint> Nd1Connector::own_endpoint(INDEndpoint* argument) const {
    const Ref<Nd1Endpoint> face = own_object<Nd1Endpoint>(argument);
    return face && face == endpoint() ? face : nullptr;
}

// No connection, for good: the endpoint is Closed, and its resources are given back (ND1-CN-REJ-05, ND1-CN-ACC-08).
void Nd1Connector::end_endpoint() {
    const Ref<Nd1Endpoint> ended = endpoint();
    if (!ended) return;
    ended->shut();
    ended->core()->end();
}

HRESULT Nd1Connector::Connect(INDEndpoint* endpoint, const sockaddr* address, SIZE_T address_bytes, INT protocol,
                              USHORT local_port, const VOID* private_data, SIZE_T private_bytes,
                              OVERLAPPED* overlapped) noexcept {
    constexpr Site site{kConnector, "Connect"};
    return at_nd1_face([&]() -> HRESULT {  // in the order of ND1-CN-CONN-07
        if (overlapped == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_8, site, "pOverlapped");
        const Ref<Nd1Endpoint> used = own_endpoint(endpoint);
        if (!used)
            return refuse_nd1_object(ND_INVALID_PARAMETER_1, site, "pEndpoint", "endpoint of this connector",
                                     "ND1-CN-CONN-02");
        const std::optional<Address> remote = Address::from(address, address_bytes);
        if (!remote || remote->family() != own_.family() || remote->is_unspecified() || remote->is_multicast() ||
            remote->port() == 0)
            return refuse_destination(address, address_bytes, own_);
        if (const HRESULT bad = check_protocol(site, protocol, ND_INVALID_PARAMETER_4, "ND1-CN-CONN-04"); FAILED(bad))
            return bad;
        if (const HRESULT bad =
                check_private_data(site, *adapter_, private_data, private_bytes, &AdapterLimits::max_caller_data_bytes);
            FAILED(bad))
            return bad;
        if (const HRESULT bad = check(Nd1ConnectorMethod::connect); FAILED(bad)) return bad;
        return begin(overlapped, site, "ND1-CN-CONN-05", [&](std::unique_ptr<AsyncRequest> request) {
            return core_->connect_from(own_.with_port(ntohs(local_port)), used->core(), *remote, used->wanted_reads(),
                                       as_bytes(private_data, private_bytes),
                                       std::make_unique<Nd1Connecting>(std::move(request)));
        });
    });
}

HRESULT Nd1Connector::CompleteConnect(OVERLAPPED* overlapped) noexcept {
    constexpr Site site{kConnector, "CompleteConnect"};
    return at_nd1_face([&]() -> HRESULT {
        if (overlapped == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_1, site, "pOverlapped");
        if (const HRESULT bad = check(Nd1ConnectorMethod::complete_connect); FAILED(bad)) return bad;
        const Ref<Nd1Endpoint> used = endpoint();
        // As Connect brought them back (ND1-CN-CPL-03).
        if (const auto limits = core_->read_limits(); limits.ok()) used->set_outbound_reads(limits.value().outbound);
        return begin(overlapped, site, "ND1-CN-CPL-02", [&](std::unique_ptr<AsyncRequest> request) {
            return core_->complete_connect(
                std::make_unique<Nd1Establishing>(std::move(request), used, Status::connection_aborted));
        });
    });
}

HRESULT Nd1Connector::Accept(INDEndpoint* endpoint, const VOID* private_data, SIZE_T private_bytes,
                             OVERLAPPED* overlapped) noexcept {
    constexpr Site site{kConnector, "Accept"};
    return at_nd1_face([&]() -> HRESULT {
        if (overlapped == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_4, site, "pOverlapped");
        const Ref<Nd1Endpoint> used = own_endpoint(endpoint);
        if (!used)
            return refuse_nd1_object(ND_INVALID_PARAMETER_1, site, "pEndpoint", "endpoint of this connector",
                                     "ND1-CN-ACC-01");
        if (const HRESULT bad =
                check_private_data(site, *adapter_, private_data, private_bytes, &AdapterLimits::max_callee_data_bytes);
            FAILED(bad))
            return bad;
        if (const HRESULT bad = check(Nd1ConnectorMethod::accept); FAILED(bad)) return bad;
        if (const auto offered = core_->read_limits(); offered.ok())  // ND1-CN-RL-04
            used->set_outbound_reads(std::min(offered.value().outbound, used->wanted_reads().outbound));
        return begin(overlapped, site, "ND1-CN-ACC-06", [&](std::unique_ptr<AsyncRequest> request) {
            return core_->accept(used->core(), used->wanted_reads(), as_bytes(private_data, private_bytes),
                                 std::make_unique<Nd1Establishing>(std::move(request), used, Status::timed_out));
        });
    });
}

HRESULT Nd1Connector::Reject(const VOID* private_data, SIZE_T private_bytes) noexcept {
    constexpr Site site{kConnector, "Reject"};
    return at_nd1_face([&]() -> HRESULT {
        if (const HRESULT bad =
                check_private_data(site, *adapter_, private_data, private_bytes, &AdapterLimits::max_callee_data_bytes);
            FAILED(bad))
            return bad;
        if (const HRESULT bad = check(Nd1ConnectorMethod::reject); FAILED(bad)) return bad;
        const Status status =
            in_words_of(site, "ND1-CN-REJ-06", [&] { return core_->reject(as_bytes(private_data, private_bytes)); });
        if (!ok(status)) return to_nd1(status);
        end_endpoint();
        return ND_SUCCESS;
    });
}

HRESULT Nd1Connector::NotifyDisconnect(OVERLAPPED* overlapped) noexcept {
    constexpr Site site{kConnector, "NotifyDisconnect"};
    return at_nd1_face([&]() -> HRESULT {
        if (overlapped == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_1, site, "pOverlapped");
        if (const HRESULT bad = check(Nd1ConnectorMethod::notify_disconnect); FAILED(bad)) return bad;
        return begin(overlapped, site, "ND1-CN-NDISC-02", [&](std::unique_ptr<AsyncRequest> request) {
            return core_->notify_disconnect(std::make_unique<Nd1AwaitingEnd>(std::move(request)));
        });
    });
}

HRESULT Nd1Connector::Disconnect(OVERLAPPED* overlapped) noexcept {
    constexpr Site site{kConnector, "Disconnect"};
    return at_nd1_face([&]() -> HRESULT {
        if (overlapped == nullptr) return refuse_nd1_null(ND_INVALID_PARAMETER_1, site, "pOverlapped");
        if (const HRESULT bad = check(Nd1ConnectorMethod::disconnect); FAILED(bad)) return bad;
        if (const Ref<Nd1Endpoint> used = endpoint()) used->shut();
        return begin(overlapped, site, "ND1-CN-DISC-05",
                     [&](std::unique_ptr<AsyncRequest> request) { return core_->disconnect(std::move(request)); });
    });
}

HRESULT Nd1Connector::GetOverlappedResult(OVERLAPPED* overlapped, SIZE_T* bytes, BOOL wait) noexcept {
    const HRESULT status = Nd1OverlappedObject::GetOverlappedResult(overlapped, bytes, wait);
    if (overlapped == nullptr || bytes == nullptr || SUCCEEDED(status)) return status;
    if (const auto failed = core_->failed_attempt())
        remember_nd1_result(status, kConnector, failed->method, connection_text(failed->local, failed->peer));
    return status;
}

// ND1-CN-DISC-09, ND1-CN-REJ-07.
void Nd1Connector::close() {
    const ConnectorState before = core_->view().state;
    core_->close();
    const bool was_used = before != ConnectorState::idle && before != ConnectorState::waiting;
    if (was_used) end_endpoint();
}

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
