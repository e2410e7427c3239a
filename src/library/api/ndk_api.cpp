// SPDX-License-Identifier: MIT
// The functions of opennd_ndk.h.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <vector>

#include "library/api/text_buffer.h"
#include "library/library.h"
#include "ndk/call/refusal.h"
#include "ndk/call/socket_address.h"
#include "ndk/call/version.h"
#include "ndk/connection/connector.h"
#include "ndk/device/device.h"
#include "ndk/object/adapter.h"
#include "ndk/object/callback_thread.h"
#include "opennd_ndk.h"

namespace opennd {
namespace {

constexpr NdkCall kOpen{"adapter", "opennd_ndk_open_adapter"};

NTSTATUS refuse_open(NTSTATUS status, std::string_view asked, std::string_view limit, std::string_view remedy,
                     std::string_view requirement) {
    return refuse(status, {.object = kOpen.object,
                           .operation = kOpen.operation,
                           .asked = asked,
                           .limit = limit,
                           .remedy = remedy,
                           .requirement = requirement});
}

NTSTATUS check_flags(ULONG flags) {
    constexpr ULONG kDefined = OPENND_NDK_SOFTWARE_ONLY | OPENND_NDK_VERBS_ONLY;
    if ((flags & ~kDefined) != 0) return refuse_flags(kOpen, flags, kDefined, "NDK-HOST-03");
    if (flags == kDefined)
        return refuse_open(STATUS_INVALID_PARAMETER, "software transports only and hardware only",
                           "one of the two, or neither", "leave one out", "NDK-HOST-03");
    return STATUS_SUCCESS;
}

// After check_flags().
AdapterKinds kinds_of(ULONG flags) {
    if (flags == OPENND_NDK_SOFTWARE_ONLY) return AdapterKinds::software;
    return flags == OPENND_NDK_VERBS_ONLY ? AdapterKinds::hardware : AdapterKinds::any;
}

NTSTATUS refuse_disabled(const Interface& device) {
    return refuse_open(NDIS_STATUS_ADAPTER_NOT_READY, phrase("interface {}, where NDK is disabled", device.name),
                       "the interfaces where it is enabled",
                       "enable it with opennd_ndk_set_state, unless OPENND_NDK_DISABLED names it", "NDK-STAT-20");
}

NTSTATUS open_device(NDK_VERSION wanted, const std::optional<Interface>& device, const NdkSettings& settings,
                     AdapterKinds kinds, NDK_ADAPTER** adapter) {
    const std::optional<NDK_VERSION> version = negotiate(wanted);
    if (!version)
        return refuse_open(NDIS_STATUS_BAD_VERSION, phrase("version {}.{}", wanted.Major, wanted.Minor),
                           "1.0 to 1.2 and 2.0 to 2.1", "ask for one of these", "NDK-HOST-04");
    if (!device)
        return refuse_open(NDIS_STATUS_ADAPTER_NOT_FOUND, "an interface that does not exist",
                           "the interfaces of this host", "take the index from opennd_ndk_enumerate_adapters",
                           "NDK-HOST-01");
    if (!device->up || device->addresses.empty())
        return refuse_open(NDIS_STATUS_ADAPTER_NOT_READY, phrase("interface {}", device->name),
                           "an interface that is up and has an address", "bring it up", "NDK-HOST-01");
    if (settings.disable(device->name)) return refuse_disabled(*device);
    Library& library = Library::instance();
    Result<Ref<NdkAdapter>> opened = NdkAdapter::open(
        library.adapters(), *version, library.ndk_devices().at(device->index), *device, settings, kinds);
    if (opened.status() == Status::device_removed) return refuse_disabled(*device);
    // The transport has explained it.
    if (opened.status() == Status::not_supported) return NDIS_STATUS_ADAPTER_NOT_FOUND;
    if (!opened.ok()) return to_ntstatus(opened.status());
    opened.value()->add_ref();  // the consumer's, until opennd_ndk_close_adapter
    *adapter = opened.value().get();
    return STATUS_SUCCESS;
}

OPENND_NDK_ADAPTER_ENTRY entry_for(const Interface& device, const NdkSettings& settings) {
    OPENND_NDK_ADAPTER_ENTRY entry{};
    entry.if_index = device.index;
    entry.technology = NdkiWarp;
    const DeviceState::View state = Library::instance().ndk_devices().at(device.index).view();
    entry.enabled = device.up && !device.addresses.empty() && state.enabled && !settings.disable(device.name);
    entry.open_count = static_cast<ULONG>(state.instances);
    device.name.copy(entry.name, sizeof entry.name - 1);
    entry.address_count =
        static_cast<USHORT>(std::min<std::size_t>(device.addresses.size(), std::size(entry.addresses)));
    for (USHORT i = 0; i < entry.address_count; ++i) {
        const sockaddr_storage raw = device.addresses[i].to_sockaddr();
        std::memcpy(&entry.addresses[i], &raw, device.addresses[i].sockaddr_length());
    }
    return entry;
}

}  // namespace
}  // namespace opennd

using namespace opennd;

NTSTATUS opennd_ndk_open_adapter(NDK_VERSION version, NET_IFINDEX if_index, ULONG flags, NDK_ADAPTER** adapter) {
    if (adapter == nullptr) return refuse_null(kOpen, "adapter");
    *adapter = nullptr;
    return at_kernel_face(kOpen, [&]() -> NTSTATUS {
        if (const NTSTATUS bad = check_flags(flags); !NT_SUCCESS(bad)) return bad;
        const NdkSettings settings = ndk_settings_now();
        return open_device(version, find_device(if_index, settings.configured), settings, kinds_of(flags), adapter);
    });
}

NTSTATUS opennd_ndk_open_adapter_by_address(NDK_VERSION version, const SOCKADDR* local, ULONG local_length, ULONG flags,
                                            NDK_ADAPTER** adapter) {
    if (adapter == nullptr) return refuse_null(kOpen, "adapter");
    *adapter = nullptr;
    return at_kernel_face(kOpen, [&]() -> NTSTATUS {
        if (const NTSTATUS bad = check_flags(flags); !NT_SUCCESS(bad)) return bad;
        const std::optional<Address> address = read_address(local, local_length);
        if (!address) return refuse_address(kOpen, local, local_length);
        return open_device(version, find_device(*address), ndk_settings_now(), kinds_of(flags), adapter);
    });
}

VOID opennd_ndk_close_adapter(NDK_ADAPTER* adapter) {
    if (adapter == nullptr || NdkAdapter::of(adapter).is_inherited()) return;
    if (CallbackThread::is_current()) {
        log(LogLevel::error,
            "adapter: opennd_ndk_close_adapter: called from a callback, which it would wait for; "
            "this cannot go on (NDK-GEN-24)");
        std::abort();
    }
    const Ref<NdkAdapter> closed(&NdkAdapter::of(adapter));
    closed->drop_ref();  // the consumer's
    closed->close();
}

NTSTATUS opennd_ndk_enumerate_adapters(OPENND_NDK_ADAPTER_ENTRY* entries, ULONG* count) {
    constexpr NdkCall call{"adapter", "opennd_ndk_enumerate_adapters"};
    if (count == nullptr) return refuse_null(call, "count");
    if (entries == nullptr && *count != 0) return refuse_null(call, "entries");
    return at_kernel_face(call, [&]() -> NTSTATUS {
        const NdkSettings settings = ndk_settings_now();
        const std::vector<Interface> all = devices(settings.configured);
        const std::size_t room = *count;
        *count = static_cast<ULONG>(all.size());
        for (std::size_t i = 0; i < std::min(room, all.size()); ++i) entries[i] = entry_for(all[i], settings);
        if (room >= all.size()) return STATUS_SUCCESS;
        return refuse_room(call, room * sizeof *entries, all.size() * sizeof *entries, "NDK-HOST-07");
    });
}

NTSTATUS opennd_ndk_connection_transport(NDK_CONNECTOR* connector, CHAR* name, SIZE_T name_bytes, CHAR* path,
                                         SIZE_T path_bytes) {
    constexpr NdkCall call{"connector", "opennd_ndk_connection_transport"};
    if (!is_buffer(name, name_bytes)) return refuse_null(call, "name, or its size,");
    if (!is_buffer(path, path_bytes)) return refuse_null(call, "path, or its size,");
    auto* const face = face_of<NdkConnector>(connector);
    if (!face) return refuse_object(call, "connector", "connector");
    if (face->adapter().is_inherited()) return refuse_inherited();
    ConnectionPath taken;
    const NTSTATUS status = face->get_path(call, taken);
    if (!NT_SUCCESS(status)) return status;
    copy_text(taken.transport, name, name_bytes);
    copy_text(taken.bulk, path, path_bytes);
    return STATUS_SUCCESS;
}

BOOLEAN opennd_ndk_in_callback(VOID) { return CallbackThread::is_current() ? TRUE : FALSE; }
