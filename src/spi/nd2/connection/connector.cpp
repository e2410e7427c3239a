// SPDX-License-Identifier: MIT
// See connector.h. The order of checks is that of ND2-CON-CONN-01 and ND2-CON-ACC-01.
#include "spi/nd2/connection/connector.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/checker.h"
#include "core/adapter/adapter.h"
#include "spi/nd2/call/argument.h"
#include "spi/nd2/queue/queue_pair.h"

namespace opennd {
namespace {

HRESULT check_private_data(const Site& site, const Adapter& adapter, const VOID* data, ULONG bytes,
                           std::uint32_t AdapterLimits::*limit) {
    const ULONG maximum = adapter.limits().*limit;
    if (bytes > maximum)
        return explain(ND_INVALID_BUFFER_SIZE, {.object = site.object,
                                                .operation = site.operation,
                                                .asked = phrase("{} bytes of private data", bytes),
                                                .limit = phrase("{} bytes", maximum),
                                                .remedy = "send less with the connection, the rest by messages",
                                                .requirement = "ND2-CON-CONN-01",
                                                .imposed_by = adapter.imposer(limit, maximum)});
    return data != nullptr || bytes == 0 ? ND_SUCCESS : refuse_null_data(site, bytes, "ND2-CON-CONN-01");
}

std::span<const std::byte> as_bytes(const VOID* data, ULONG bytes) {
    return {static_cast<const std::byte*>(data), bytes};
}

}  // namespace

HRESULT Nd2Connector::Bind(const sockaddr* address, ULONG address_bytes) noexcept {
    return at_face([&]() -> HRESULT {
        const std::optional<Address> wanted = Address::from(address, address_bytes);
        return wanted ? to_hresult(core_->bind(*wanted))
                      : refuse_address({"connector", "Bind"}, address, address_bytes);
    });
}

HRESULT Nd2Connector::Connect(IUnknown* queue_pair, const sockaddr* destination, ULONG destination_bytes,
                              ULONG inbound_reads, ULONG outbound_reads, const VOID* private_data, ULONG private_bytes,
                              OVERLAPPED* overlapped) noexcept {
    constexpr Site site{"connector", "Connect"};
    const std::optional<Address> remote = Address::from(destination, destination_bytes);
    if (!remote) return refuse_address(site, destination, destination_bytes);
    if (const Status status = core_->check_destination(*remote); !ok(status)) return to_hresult(status);
    Ref<QueuePair> used = core_of<Nd2QueuePair>(queue_pair, core_->adapter());
    if (!used) return refuse_object(ND_INVALID_PARAMETER_1, site, "pQueuePair", "queue pair");
    if (const HRESULT refusal = check_private_data(site, core_->adapter(), private_data, private_bytes,
                                                   &AdapterLimits::max_caller_data_bytes);
        FAILED(refusal))
        return refusal;
    return begin(overlapped, [&](std::unique_ptr<AsyncRequest> request) {
        return core_->connect(std::move(used), *remote, {inbound_reads, outbound_reads},
                              as_bytes(private_data, private_bytes), std::move(request));
    });
}

HRESULT Nd2Connector::CompleteConnect(OVERLAPPED* overlapped) noexcept {
    return begin(overlapped,
                 [&](std::unique_ptr<AsyncRequest> request) { return core_->complete_connect(std::move(request)); });
}

HRESULT Nd2Connector::Accept(IUnknown* queue_pair, ULONG inbound_reads, ULONG outbound_reads, const VOID* private_data,
                             ULONG private_bytes, OVERLAPPED* overlapped) noexcept {
    constexpr Site site{"connector", "Accept"};
    Ref<QueuePair> used = core_of<Nd2QueuePair>(queue_pair, core_->adapter());
    if (!used) return refuse_object(ND_INVALID_PARAMETER_1, site, "pQueuePair", "queue pair");
    if (const HRESULT refusal = check_private_data(site, core_->adapter(), private_data, private_bytes,
                                                   &AdapterLimits::max_callee_data_bytes);
        FAILED(refusal))
        return refusal;
    return begin(overlapped, [&](std::unique_ptr<AsyncRequest> request) {
        return core_->accept(std::move(used), {inbound_reads, outbound_reads}, as_bytes(private_data, private_bytes),
                             std::move(request));
    });
}

HRESULT Nd2Connector::Reject(const VOID* private_data, ULONG private_bytes) noexcept {
    return at_face([&]() -> HRESULT {
        if (const HRESULT refusal = check_private_data({"connector", "Reject"}, core_->adapter(), private_data,
                                                       private_bytes, &AdapterLimits::max_callee_data_bytes);
            FAILED(refusal))
            return refusal;
        return to_hresult(core_->reject(as_bytes(private_data, private_bytes)));
    });
}

HRESULT Nd2Connector::GetReadLimits(ULONG* inbound_reads, ULONG* outbound_reads) noexcept {
    return at_face([&]() -> HRESULT {
        const Result<ReadLimits> limits = core_->read_limits();
        if (!limits.ok()) return to_hresult(limits.status());
        if (Checker* const checks = checker(); checks && core_->view().history.accepted)
            checks->tell({CheckRule::limits_after_accept, "connector", "GetReadLimits after Accept"});
        if (inbound_reads) *inbound_reads = limits.value().inbound;
        if (outbound_reads) *outbound_reads = limits.value().outbound;
        return ND_SUCCESS;
    });
}

// ND2-CON-PD-01: a buffer that is too short gets the first bytes.
HRESULT Nd2Connector::GetPrivateData(VOID* private_data, ULONG* private_bytes) noexcept {
    constexpr Site site{"connector", "GetPrivateData"};
    return at_face([&]() -> HRESULT {
        if (private_bytes == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "pcbPrivateData");
        const Result<ReceivedData> data = core_->private_data();
        if (!data.ok()) return to_hresult(data.status());
        const ULONG room = private_data ? *private_bytes : 0;
        const ReceivedData::Part part = data.value().part_for(room);
        *private_bytes = static_cast<ULONG>(part.told);
        if (part.copied != 0) std::memcpy(private_data, data.value().octets.data(), part.copied);
        return part.is_whole ? ND_SUCCESS : refuse_room(site, room, part.told, "ND2-CON-PD-01");
    });
}

HRESULT Nd2Connector::GetLocalAddress(sockaddr* address, ULONG* address_bytes) noexcept {
    return at_face([&] {
        return give_address(
            {"connector", "GetLocalAddress"}, [&] { return core_->local_address(); }, address, address_bytes);
    });
}

HRESULT Nd2Connector::GetPeerAddress(sockaddr* address, ULONG* address_bytes) noexcept {
    return at_face([&] {
        return give_address(
            {"connector", "GetPeerAddress"}, [&] { return core_->peer_address(); }, address, address_bytes);
    });
}

HRESULT Nd2Connector::NotifyDisconnect(OVERLAPPED* overlapped) noexcept {
    return begin(overlapped,
                 [&](std::unique_ptr<AsyncRequest> request) { return core_->notify_disconnect(std::move(request)); });
}

HRESULT Nd2Connector::Disconnect(OVERLAPPED* overlapped) noexcept {
    return begin(overlapped,
                 [&](std::unique_ptr<AsyncRequest> request) { return core_->disconnect(std::move(request)); });
}

HRESULT Nd2Connector::GetOverlappedResult(OVERLAPPED* overlapped, BOOL wait) noexcept {
    const HRESULT status = Nd2OverlappedObject::GetOverlappedResult(overlapped, wait);
    if (overlapped == nullptr || SUCCEEDED(status)) return status;
    if (const auto failed = core_->failed_attempt())
        remember_result(status, "connector", failed->method, connection_text(failed->local, failed->peer));
    return status;
}

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
