// SPDX-License-Identifier: MIT
// Objects that consumers pass as arguments.
#pragma once

#include "ndk/call/refusal.h"
#include "ndk/object/adapter.h"
#include "ndkpi.h"

namespace opennd {

// The face of an object; null: it is NULL, or of another type (NDK-GEN-07).
template <typename Face, typename Seen>
Face* face_of(Seen* object) {
    if (object == nullptr || object->Header.ObjectType != Face::kType) return nullptr;
    return static_cast<Face*>(object);
}

// The same; null also for an object of another device than `adapter`'s (NDK-QP-CREATE-03).
template <typename Face, typename Seen>
Face* face_on(Seen* object, const NdkAdapter& adapter) {
    Face* const face = face_of<Face>(object);
    return face && face->adapter().device() == adapter.device() ? face : nullptr;
}

// Creates by `make`, which returns the new face; gives it out, or NULL (NDK-GEN-02). Creation is synchronous
// (NDK-GEN-04), and refused where `adapter` is removed (NDK-GEN-15).
template <typename Seen, typename Make>
NTSTATUS create_at_face(const NdkCall& call, const NdkAdapter& adapter, Seen** out, Make&& make) noexcept {
    if (out == nullptr) return refuse_null(call, "the address of the new object");
    *out = nullptr;
    if (adapter.removed()) return refuse_removed(call);
    return at_kernel_face(call, [&]() -> NTSTATUS { return make(out); });
}

}  // namespace opennd
