// SPDX-License-Identifier: MIT
// Objects of the waiting layer behind the handles of programs: found for a call, given to the program, waited for.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "opennd.h"
#include "platform/waiting/completion_port.h"
#include "platform/waiting/event.h"
#include "platform/waiting/handle_table.h"
#include "spi/at_face.h"
#include "spi/explanation.h"
#include "spi/status_meaning.h"

namespace opennd {

template <typename Object>
inline constexpr std::string_view kHandleKind;
template <>
inline constexpr std::string_view kHandleKind<Event> = "event";
template <>
inline constexpr std::string_view kHandleKind<CompletionPort> = "port";
template <>
inline constexpr std::string_view kHandleKind<OverlappedFile> = "overlapped file";

// `use` is called with the object behind the handle.
template <typename Object, typename Use>
HRESULT with_object(HANDLE handle, std::string_view operation, Use&& use) {
    return at_face([&]() -> HRESULT {
        const Ref<Object> object = handle_table().find<Object>(handle);
        return object ? use(*object)
                      : refuse_handle({kHandleKind<Object>, operation}, handle, kHandleKind<Object>, "ND2-OVL-05");
    });
}

template <typename Object>
HRESULT give_handle(Result<Ref<Object>> object, HANDLE* handle) {
    if (!object.ok()) return to_hresult(object.status());
    *handle = handle_table().insert(object.take());
    return *handle ? ND_SUCCESS : ND_INSUFFICIENT_RESOURCES;
}

inline std::optional<SteadyTime> deadline_after(DWORD timeout_ms) {
    if (timeout_ms == OPENND_FOREVER) return std::nullopt;
    return now() + std::chrono::milliseconds(timeout_ms);
}

// These waits end with the status of version 1 and Win32, which succeeds.
inline HRESULT wait_result(Status status) { return status == Status::timed_out ? ND_TIMEOUT : to_hresult(status); }

}  // namespace opennd
