// SPDX-License-Identifier: MIT
// The functions of opennd.h on transports: those that are in use, and the one of a connection.
#include "opennd.h"

#include <optional>
#include <string>

#include "library/api/text_buffer.h"
#include "library/inspection/device_report.h"
#include "library/library.h"
#include "spi/at_face.h"
#include "spi/explanation.h"
#include "spi/nd1/connection/connector.h"
#include "spi/nd2/connection/connector.h"
#include "spi/status_meaning.h"

namespace opennd {
namespace {

constexpr Site kExplain{"transports", "opennd_transport_explain"};
constexpr Site kDeviceReport{"RDMA devices", "opennd_device_report"};
constexpr Site kConnectionTransport{"connector", "opennd_connection_transport"};

Address unspecified(const Address& like) { return *Address::parse(like.is_ipv6() ? "::" : "0.0.0.0"); }

// The core object behind a connector of either version; null: it is of neither.
Ref<Connector> connector_behind(IUnknown* object) {
    if (const Ref<Nd2Connector> face = own_object<Nd2Connector>(object)) return face->core();
    const Ref<Nd1Connector> face = own_object<Nd1Connector>(object);
    return face ? face->core() : nullptr;
}

}  // namespace
}  // namespace opennd

using namespace opennd;

HRESULT opennd_transport_select(const char* list) {
    return at_face([&] { return to_hresult(Library::instance().select_transports(list ? list : "")); });
}

HRESULT opennd_overrun_select(const char* rule) {
    return at_face([&] { return to_hresult(Library::instance().select_overrun_rule(rule ? rule : "")); });
}

HRESULT opennd_transport_explain(const sockaddr* remote, SIZE_T remote_bytes, char* name, SIZE_T name_bytes,
                                 char* reason, SIZE_T reason_bytes) {
    if (!is_buffer(name, name_bytes)) return refuse_null(ND_INVALID_PARAMETER, kExplain, "name, or its size,");
    if (!is_buffer(reason, reason_bytes)) return refuse_null(ND_INVALID_PARAMETER, kExplain, "reason, or its size,");
    return at_face([&]() -> HRESULT {
        const std::optional<Address> address = Address::from(remote, remote_bytes);
        if (!address) return refuse_address(kExplain, remote, remote_bytes);
        const TransportChoice choice = Library::instance().transport().explain(unspecified(*address), *address);
        copy_text(choice.transport, name, name_bytes);
        copy_text(choice.reason, reason, reason_bytes);
        if (!choice.transport.empty()) return ND_SUCCESS;
        return explain(ND_NETWORK_UNREACHABLE,
                       {.object = kExplain.object,
                        .operation = kExplain.operation,
                        .asked = phrase("a transport to {}", address->text()),
                        .limit = choice.reason,
                        .remedy = "choose other transports (OPENND_TRANSPORT), or look at `ip route get`",
                        .requirement = "ND2-CON-CONN-05"});
    });
}

HRESULT opennd_device_report(const sockaddr* local, SIZE_T local_bytes, char* report, SIZE_T report_bytes,
                             SIZE_T* needed) {
    if (!is_buffer(report, report_bytes))
        return refuse_null(ND_INVALID_PARAMETER, kDeviceReport, "report, or its size,");
    if (needed == nullptr) return refuse_null(ND_INVALID_PARAMETER, kDeviceReport, "needed");
    return at_face([&]() -> HRESULT {
        const std::optional<Address> address = Address::from(local, local_bytes);
        if (!address) return refuse_address(kDeviceReport, local, local_bytes);
        std::string reason;
        const std::optional<DeviceReport> found = Library::instance().transport().describe_device(*address, reason);
        if (found) return give_text(device_report(*found), report, report_bytes, needed);
        return explain(ND_NOT_SUPPORTED, {.object = kDeviceReport.object,
                                          .operation = kDeviceReport.operation,
                                          .asked = phrase("the device that has {}", address->text(false)),
                                          .limit = reason,
                                          .remedy = "see `rdma link` and `ip address`",
                                          .requirement = "ND2-PRV-OPEN-01"});
    });
}

HRESULT opennd_connection_transport(IUnknown* connector, char* name, SIZE_T name_bytes, char* path, SIZE_T path_bytes) {
    if (!is_buffer(name, name_bytes))
        return refuse_null(ND_INVALID_PARAMETER, kConnectionTransport, "name, or its size,");
    if (!is_buffer(path, path_bytes))
        return refuse_null(ND_INVALID_PARAMETER, kConnectionTransport, "path, or its size,");
    return at_face([&]() -> HRESULT {
        const Ref<Connector> core = connector_behind(connector);
        if (!core) return refuse_object(ND_INVALID_PARAMETER, kConnectionTransport, "connector", "connector");
        const Result<ConnectionPath> taken = core->path();
        if (!taken.ok()) return to_hresult(taken.status());
        copy_text(taken.value().transport, name, name_bytes);
        copy_text(taken.value().bulk, path, path_bytes);
        return ND_SUCCESS;
    });
}
