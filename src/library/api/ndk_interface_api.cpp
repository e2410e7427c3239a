// SPDX-License-Identifier: MIT
// The functions of opennd_ndk.h on interfaces, whose adapters need not be open: the counts of core and transport in NDIS's structures, and
// NDK enabled and disabled.
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

#include "core/adapter/activity.h"
#include "library/library.h"
#include "ndk/call/refusal.h"
#include "ndk/call/version.h"
#include "ndk/device/adapter_info.h"
#include "ndk/device/device.h"
#include "ndk/object/callback_thread.h"
#include "ndk/object/device_state.h"
#include "opennd_ndk.h"

namespace opennd {
namespace {

// The result of body(interface), an NTSTATUS, for the interface that a function names by its index. NDIS_STATUS_ADAPTER_NOT_FOUND: no interface has the index.
template <typename Body>
NTSTATUS on_device(const NdkCall& call, NET_IFINDEX index, Body&& body) noexcept {
    return at_kernel_face(call, [&]() -> NTSTATUS {
        const std::optional<Interface> device = find_device(index, ndk_settings_now().configured);
        if (device) return body(*device);
        return refuse(NDIS_STATUS_ADAPTER_NOT_FOUND, {.object = call.object,
                                                      .operation = call.operation,
                                                      .asked = phrase("interface {}, which does not exist", index),
                                                      .limit = "the interfaces of this host",
                                                      .remedy = "take the index from opennd_ndk_enumerate_adapters",
                                                      .requirement = "NDK-HOST-01"});
    });
}

// Positions in NDIS_NDK_PERFORMANCE_COUNTERS (NDK-STAT-04).
constexpr unsigned kRdmaInOctets = 26;
constexpr unsigned kCounters = 30;
constexpr ULONG64 kTrafficMask = (ULONG64{1} << kCounters) - (ULONG64{1} << kRdmaInOctets);
static_assert(offsetof(NDIS_NDK_PERFORMANCE_COUNTERS, RDMAInOctets) == kRdmaInOctets * sizeof(ULONG64));

NDIS_OBJECT_HEADER header_for(std::size_t bytes) {
    constexpr UCHAR kRevision = 1;
    constexpr std::size_t kMostSize = 65535;
    return {NDIS_OBJECT_TYPE_DEFAULT, kRevision, static_cast<USHORT>(std::min(bytes, kMostSize))};  // NDK-STAT-10
}

SOCKADDR_INET to_inet(const Address& address) {
    const sockaddr_storage raw = address.to_sockaddr();
    SOCKADDR_INET inet{};
    std::memcpy(&inet, &raw, address.sockaddr_length());
    return inet;
}

void add_activity(const ActivityCounts& counts, NDIS_NDK_PERFORMANCE_COUNTERS& to) {
    to.Connect += counts.connects;
    to.Accept += counts.accepts;
    to.ConnectFailure += counts.failures;
    to.ConnectionError += counts.errors;
    to.ActiveConnection += counts.active;
    to.CQError += counts.queue_errors;
}

void add_traffic(const Traffic& traffic, NDIS_NDK_PERFORMANCE_COUNTERS& to) {
    to.RDMAInOctets += traffic.octets_in;
    to.RDMAOutOctets += traffic.octets_out;
    to.RDMAInFrames += traffic.frames_in;
    to.RDMAOutFrames += traffic.frames_out;
}

ULONG64 missing_counters(const Interface& device) {
    return Library::instance().transport().traffic(device.index) ? 0 : kTrafficMask;  // NDK-STAT-02
}

Ref<Activity> activity_of(const Interface& device) { return Library::instance().adapters().activity(device.index); }

// Its TCP connection; without one it stands for itself once more (NDK-STAT-13, -14).
NDIS_NDK_CONNECTION_ENTRY entry_below(const LiveConnection& connection) {
    const StreamAddresses stream =
        connection.carrier.stream.value_or(StreamAddresses{connection.local, connection.peer});
    return {to_inet(stream.local), to_inet(stream.peer), FALSE, 0};
}

// Stores a structure with a list at its end, if there is room for all of it (NDK-STAT-30). `bytes` in: room, out: size.
template <typename Structure, typename Entry>
NTSTATUS give_list(const NdkCall& call, Structure filled, std::size_t entries_offset, const std::vector<Entry>& entries,
                   Structure* buffer, ULONG* bytes) {
    const std::size_t needed = entries_offset + entries.size() * sizeof(Entry);
    const std::size_t room = buffer ? *bytes : 0;
    *bytes = static_cast<ULONG>(needed);
    if (room < needed) return refuse_room(call, room, needed, "NDK-STAT-30");
    filled.Header = header_for(needed);
    filled.Count = static_cast<ULONG>(entries.size());
    auto* const to = reinterpret_cast<std::byte*>(buffer);
    std::memcpy(to, &filled, entries_offset);
    if (!entries.empty()) std::memcpy(to + entries_offset, entries.data(), entries.size() * sizeof(Entry));
    return STATUS_SUCCESS;
}

// A change of state runs the callbacks of events on the calling thread, and these may close adapters.
NTSTATUS check_thread(const NdkCall& call) {
    if (!CallbackThread::is_current() && !AdapterEvents::is_telling()) return STATUS_SUCCESS;
    return refuse(STATUS_INVALID_DEVICE_REQUEST, {.object = call.object,
                                                  .operation = call.operation,
                                                  .asked = "a change of state from a callback",
                                                  .limit = "a thread that runs none of OpenND's callbacks",
                                                  .remedy = "leave it to a thread of the program's own",
                                                  .requirement = "NDK-STAT-20"});
}

NTSTATUS check_setting(const NdkCall& call, const Interface& device) {
    if (!ndk_settings_now().disable(device.name)) return STATUS_SUCCESS;
    return refuse(STATUS_NOT_SUPPORTED, {.object = call.object,
                                         .operation = call.operation,
                                         .asked = phrase("NDK at interface {}", device.name),
                                         .limit = "the interfaces that OPENND_NDK_DISABLED does not name",
                                         .remedy = "take the name out of that setting",
                                         .requirement = "NDK-STAT-20"});
}

}  // namespace
}  // namespace opennd

using namespace opennd;

NTSTATUS opennd_ndk_query_statistics(NET_IFINDEX if_index, NDIS_NDK_STATISTICS_INFO* info) {
    constexpr NdkCall call{"adapter", "opennd_ndk_query_statistics"};
    if (info == nullptr) return refuse_null(call, "info");
    return on_device(call, if_index, [&](const Interface& device) -> NTSTATUS {
        NDIS_NDK_STATISTICS_INFO sum{};
        sum.Header = header_for(sizeof sum);
        add_activity(activity_of(device)->counts(), sum.CounterSet);
        if (const auto wires = Library::instance().transport().traffic(device.index))
            add_traffic(total(*wires), sum.CounterSet);
        *info = sum;
        return STATUS_SUCCESS;
    });
}

NTSTATUS opennd_ndk_query_capabilities(NET_IFINDEX if_index, NDIS_NDK_CAPABILITIES* capabilities,
                                       NDK_ADAPTER_INFO* info) {
    constexpr NdkCall call{"adapter", "opennd_ndk_query_capabilities"};
    constexpr ULONG kMostObjects = 65536;
    constexpr ULONG kMostRegistrations = 1048576;
    if (capabilities == nullptr) return refuse_null(call, "capabilities");
    return on_device(call, if_index, [&](const Interface& device) -> NTSTATUS {
        NDIS_NDK_CAPABILITIES filled{};
        filled.Header = header_for(sizeof filled);
        filled.MaxQpCount = filled.MaxCqCount = filled.MaxPdCount = filled.MaxSrqCount = kMostObjects;
        filled.MaxMrCount = filled.MaxMwCount = kMostRegistrations;
        filled.MissingCounterMask = missing_counters(device);
        if (info) {
            if (device.addresses.empty())
                return refuse(NDIS_STATUS_ADAPTER_NOT_READY, {.object = call.object,
                                                              .operation = call.operation,
                                                              .asked = phrase("interface {}", device.name),
                                                              .limit = "an interface that is up and has an address",
                                                              .remedy = "bring it up",
                                                              .requirement = "NDK-HOST-01"});
            const Result<Ref<Adapter>> opened =
                open_core(Library::instance().adapters(), device, ndk_settings_now().configured);
            if (!opened.ok()) return to_ntstatus(opened.status());
            *info = adapter_info(opened.value()->limits(), opened.value()->traits(), kHighestVersion);
            filled.NdkInfo = info;
        }
        *capabilities = filled;
        return STATUS_SUCCESS;
    });
}

NTSTATUS opennd_ndk_query_connections(NET_IFINDEX if_index, NDIS_NDK_CONNECTIONS* buffer, ULONG* bytes) {
    constexpr NdkCall call{"adapter", "opennd_ndk_query_connections"};
    if (bytes == nullptr) return refuse_null(call, "bytes");
    return on_device(call, if_index, [&](const Interface& device) -> NTSTATUS {
        const std::vector<LiveConnection> live = activity_of(device)->connections();
        NDIS_NDK_CONNECTIONS list{};
        list.NDConnectionsMappedtoTCPConnections = std::any_of(
            live.begin(), live.end(), [](const LiveConnection& each) { return each.carrier.stream.has_value(); });
        std::vector<NDIS_NDK_CONNECTION_ENTRY> entries;
        for (const LiveConnection& each : live) {
            entries.push_back(
                {to_inet(each.local), to_inet(each.peer), each.face != Face::ndk, static_cast<ULONG>(getpid())});
            if (list.NDConnectionsMappedtoTCPConnections) entries.push_back(entry_below(each));
        }
        return give_list(call, list, offsetof(NDIS_NDK_CONNECTIONS, Connections), entries, buffer, bytes);
    });
}

NTSTATUS opennd_ndk_query_local_endpoints(NET_IFINDEX if_index, NDIS_NDK_LOCAL_ENDPOINTS* buffer, ULONG* bytes) {
    constexpr NdkCall call{"adapter", "opennd_ndk_query_local_endpoints"};
    if (bytes == nullptr) return refuse_null(call, "bytes");
    return on_device(call, if_index, [&](const Interface& device) -> NTSTATUS {
        std::vector<NDIS_NDK_LOCAL_ENDPOINT_ENTRY> entries;
        for (const LiveEndpoint& each : activity_of(device)->endpoints())
            if (each.listens || each.face == Face::ndk)  // the others are only bound yet
                entries.push_back(
                    {to_inet(each.local), each.face != Face::ndk, each.listens, static_cast<ULONG>(getpid())});
        return give_list(call, NDIS_NDK_LOCAL_ENDPOINTS{}, offsetof(NDIS_NDK_LOCAL_ENDPOINTS, LocalEndpoints), entries,
                         buffer, bytes);
    });
}

NTSTATUS opennd_ndk_set_state(NET_IFINDEX if_index, BOOLEAN enable) {
    constexpr NdkCall call{"adapter", "opennd_ndk_set_state"};
    return on_device(call, if_index, [&](const Interface& device) -> NTSTATUS {
        if (const NTSTATUS bad = check_thread(call); !NT_SUCCESS(bad)) return bad;
        if (const NTSTATUS bad = enable ? check_setting(call, device) : STATUS_SUCCESS; !NT_SUCCESS(bad)) return bad;
        Library::instance().ndk_devices().at(if_index).set(enable != FALSE);
        return STATUS_SUCCESS;
    });
}

NTSTATUS opennd_ndk_register_adapter_events(NET_IFINDEX if_index, OPENND_NDK_FN_ADAPTER_EVENT callback, PVOID context) {
    constexpr NdkCall call{"adapter", "opennd_ndk_register_adapter_events"};
    if (callback == nullptr) return refuse_null(call, "callback");
    return on_device(call, if_index, [&](const Interface& device) -> NTSTATUS {
        if (Library::instance().ndk_devices().at(if_index).events().add({callback, context})) return STATUS_SUCCESS;
        return refuse(STATUS_INVALID_DEVICE_REQUEST,
                      {.object = call.object,
                       .operation = call.operation,
                       .asked = phrase("a callback that is registered for interface {} with this context", device.name),
                       .limit = "once",
                       .remedy = "unregister it first, or use another context",
                       .requirement = "NDK-STAT-21"});
    });
}

// The interface itself may be gone by now.
NTSTATUS opennd_ndk_unregister_adapter_events(NET_IFINDEX if_index, OPENND_NDK_FN_ADAPTER_EVENT callback,
                                              PVOID context) {
    constexpr NdkCall call{"adapter", "opennd_ndk_unregister_adapter_events"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        if (Library::instance().ndk_devices().at(if_index).events().remove({callback, context})) return STATUS_SUCCESS;
        return refuse(STATUS_INVALID_PARAMETER, {.object = call.object,
                                                 .operation = call.operation,
                                                 .asked = "a callback that is not registered",
                                                 .limit = "interface, callback and context of a registration",
                                                 .remedy = "pass the arguments of opennd_ndk_register_adapter_events",
                                                 .requirement = "NDK-STAT-21"});
    });
}
