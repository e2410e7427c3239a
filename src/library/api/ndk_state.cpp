// SPDX-License-Identifier: MIT
// The functions of opennd_ndk.h that enable and disable NDK at an interface.
#include "library/api/on_device.h"
#include "library/library.h"
#include "library/settings_now.h"
#include "ndk/object/callback_thread.h"
#include "ndk/object/device_state.h"
#include "opennd_ndk.h"

namespace opennd {
namespace {

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
