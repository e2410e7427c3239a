// SPDX-License-Identifier: MIT
// See refusal.h.
#include "ndk/call/refusal.h"

namespace opennd {

std::string_view ndk_requirement(Status status) {
    switch (status) {
        case Status::queue_full: return "NDK-QP-POST-02";
        case Status::too_many_sges:
        case Status::message_too_long: return "NDK-QP-POST-03";
        case Status::not_connected: return "NDK-QP-STATE-01";
        case Status::connection_active: return "NDK-QP-STATE-02";
        case Status::address_in_use: return "NDK-SEP-01";
        case Status::no_memory:
        case Status::insufficient_resources: return "NDK-GEN-08";
        default: return {};
    }
}

NTSTATUS refuse(NTSTATUS status, const Explanation& explanation) noexcept {
    explain(named(status), explanation);
    return status;
}

NTSTATUS refuse_null(const NdkCall& call, std::string_view argument) noexcept {
    return refuse(STATUS_INVALID_PARAMETER, {.object = call.object,
                                             .operation = call.operation,
                                             .asked = phrase("{} is NULL", argument),
                                             .limit = "a pointer that is not NULL",
                                             .remedy = phrase("pass a valid address for {}", argument),
                                             .requirement = "NDK-GEN-07"});
}

NTSTATUS refuse_object(const NdkCall& call, std::string_view argument, std::string_view kind) noexcept {
    return refuse(STATUS_INVALID_PARAMETER,
                  {.object = call.object,
                   .operation = call.operation,
                   .asked = phrase("{} is NULL, of another type, or of another domain or device", argument),
                   .limit = phrase("a {} that goes with this object", kind),
                   .remedy = phrase("pass a {} of the same adapter and protection domain", kind),
                   .requirement = "NDK-GEN-07"});
}

NTSTATUS refuse_flags(const NdkCall& call, ULONG flags, ULONG defined, std::string_view requirement) noexcept {
    return refuse(STATUS_INVALID_PARAMETER, {.object = call.object,
                                             .operation = call.operation,
                                             .asked = phrase("flags {:#x}", flags),
                                             .limit = phrase("flags within {:#x}", defined),
                                             .remedy = phrase("leave out {:#x}", flags & ~defined),
                                             .requirement = requirement});
}

NTSTATUS refuse_number(const NdkCall& call, std::string_view what, SIZE_T asked, SIZE_T least, SIZE_T most,
                       std::string_view requirement, std::string_view imposer) noexcept {
    return refuse(STATUS_INVALID_PARAMETER, {.object = call.object,
                                             .operation = call.operation,
                                             .asked = phrase("{} {}", what, asked),
                                             .limit = phrase("{} to {}", least, most),
                                             .remedy = "stay within the limits of NdkQueryAdapterInfo",
                                             .requirement = requirement,
                                             .imposed_by = imposer});
}

NTSTATUS refuse_room(const NdkCall& call, SIZE_T given_bytes, SIZE_T needed_bytes,
                     std::string_view requirement) noexcept {
    const Phrase asked = phrase("room for {} bytes", given_bytes);
    const Phrase limit = phrase("{} bytes are needed", needed_bytes);
    const Explanation explanation{.object = call.object,
                                  .operation = call.operation,
                                  .asked = asked,
                                  .limit = limit,
                                  .remedy = "call again with a buffer of the size that was given back",
                                  .requirement = requirement};
    if (given_bytes != 0) return refuse(STATUS_BUFFER_TOO_SMALL, explanation);
    remember(named(STATUS_BUFFER_TOO_SMALL), explanation);
    return STATUS_BUFFER_TOO_SMALL;
}

NTSTATUS refuse_removed(const NdkCall& call) noexcept {
    return refuse(STATUS_DEVICE_REMOVED, {.object = call.object,
                                          .operation = call.operation,
                                          .asked = "new work for an adapter of a disabled interface",
                                          .limit = "until the grace time of OPENND_NDK_GRACE_MS is over",
                                          .remedy = "close the adapter, and open it again when NDK is enabled there",
                                          .requirement = "NDK-GEN-15"});
}

NTSTATUS refuse_memory(const NdkCall& call) noexcept {
    return refuse(STATUS_INSUFFICIENT_RESOURCES, {.object = call.object,
                                                  .operation = call.operation,
                                                  .asked = "memory of the process",
                                                  .limit = "the memory that the process can have",
                                                  .remedy = "close unneeded objects, or raise the limit",
                                                  .requirement = "NDK-GEN-08",
                                                  .level = LogLevel::error});
}

NTSTATUS refuse_unexpected(const NdkCall& call, std::string_view what) noexcept {
    return refuse(STATUS_INTERNAL_ERROR, {.object = call.object,
                                          .operation = call.operation,
                                          .asked = what,
                                          .limit = "nothing that a consumer does should lead here",
                                          .remedy = "report it as a fault of OpenND",
                                          .requirement = "NDK-GEN-08",
                                          .level = LogLevel::error});
}

}  // namespace opennd
