// SPDX-License-Identifier: MIT
// The class that DllGetClassObject knows, for versions 1 and 2 alike (ND2-PRV-02): the ProviderId of the catalog.
#pragma once

#include "ndcom.h"

namespace opennd {

inline constexpr CLSID kProviderClass = {0x2C8F2A54, 0x6E43, 0x4F5B, {0x8D, 0x1F, 0x4F, 0x70, 0x65, 0x6E, 0x4E, 0x44}};

}  // namespace opennd
