// SPDX-License-Identifier: MIT
// Object arguments of the face's methods.
#pragma once

#include "base/ref.h"
#include "core/adapter/adapter.h"
#include "spi/com_object.h"

namespace opennd {

// The core object behind an argument that must be a Face of this adapter instance; null if it is anything else
// (ND2-GEN-06). NULL is anything else.
template <typename Face>
Ref<typename Face::Core> core_of(IUnknown* argument, const Adapter& adapter) noexcept {
    const Ref<Face> face = own_object<Face>(argument);
    if (!face || &face->core()->adapter() != &adapter) return nullptr;
    return face->core();
}

}  // namespace opennd
