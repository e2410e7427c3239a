// SPDX-License-Identifier: MIT
// How the face refuses: each refusal is explained (base/explanation.h), in NTSTATUS's numbers and names. And the exception
// wall of the face: the one place where an exception becomes a status.
#pragma once

#include <exception>
#include <new>
#include <string_view>

#include "base/explanation.h"
#include "base/status_names.h"
#include "base/status_table.h"
#include "ndkpi.h"

namespace opennd {

// From Status to NTSTATUS.
inline NTSTATUS to_ntstatus(Status status) { return ok(status) ? STATUS_SUCCESS : row_of(status).ndk; }

// With its name, for explanations.
inline FaceStatus named(NTSTATUS status) { return {status, ndk_status_name(status)}; }
inline FaceStatus ndk_face_status(Status status) { return named(to_ntstatus(status)); }

// The rule behind a status, for every call; empty: there is no such rule.
std::string_view ndk_requirement(Status status);

// The refusing object and function: "queue pair", "NdkSend". A function names them once. `rule`: the rule of core's
// refusals, where the status does not imply one; empty: the rule that core names.
struct NdkCall : SpokenCall::Words {
    constexpr NdkCall(std::string_view of, std::string_view function, std::string_view rule = {})
        : Words{of, function, ndk_face_status, ndk_requirement, rule} {}
};

// Gives back `status`, so that a refusal is one statement.
[[gnu::cold]] NTSTATUS refuse(NTSTATUS status, const Explanation& explanation) noexcept;

// A required pointer is NULL (NDK-GEN-07). STATUS_INVALID_PARAMETER.
[[gnu::cold]] NTSTATUS refuse_null(const NdkCall& call, std::string_view argument) noexcept;
// An object is NULL, of another type, domain or device (NDK-GEN-07); `kind` names the expected one.
// STATUS_INVALID_PARAMETER.
[[gnu::cold]] NTSTATUS refuse_object(const NdkCall& call, std::string_view argument, std::string_view kind) noexcept;
// STATUS_INVALID_PARAMETER.
[[gnu::cold]] NTSTATUS refuse_flags(const NdkCall& call, ULONG flags, ULONG defined,
                                    std::string_view requirement) noexcept;
// A number that is not from `least` to `most`. STATUS_INVALID_PARAMETER.
[[gnu::cold]] NTSTATUS refuse_number(const NdkCall& call, std::string_view what, SIZE_T asked, SIZE_T least,
                                     SIZE_T most, std::string_view requirement, std::string_view imposer = {}) noexcept;
// An output buffer is too small; its size has been given back. STATUS_BUFFER_TOO_SMALL. A call without any room asks
// for the size: the thread's last failure keeps that, and no log line reports it.
[[gnu::cold]] NTSTATUS refuse_room(const NdkCall& call, SIZE_T given_bytes, SIZE_T needed_bytes,
                                   std::string_view requirement) noexcept;
// NDK was disabled at the interface, and the adapter has outlived its grace time (NDK-GEN-15). STATUS_DEVICE_REMOVED.
[[gnu::cold]] NTSTATUS refuse_removed(const NdkCall& call) noexcept;
// STATUS_INSUFFICIENT_RESOURCES.
[[gnu::cold]] NTSTATUS refuse_memory(const NdkCall& call) noexcept;
// STATUS_INTERNAL_ERROR.
[[gnu::cold]] NTSTATUS refuse_unexpected(const NdkCall& call, std::string_view what) noexcept;

// Returns the NTSTATUS of `body`, or the status of the exception it throws.
template <typename Body>
NTSTATUS at_kernel_face(const NdkCall& call, Body&& body) noexcept {
    try {
        const SpokenCall spoken(call);
        return body();
    } catch (const std::bad_alloc&) {
        return refuse_memory(call);
    } catch (const std::exception& unexpected) {
        return refuse_unexpected(call, unexpected.what());
    } catch (...) {
        return refuse_unexpected(call, "an exception of an unknown type");
    }
}

}  // namespace opennd
