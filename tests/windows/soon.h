// SPDX-License-Identifier: MIT
#pragma once

#include <windows.h>

namespace opennd {

inline constexpr DWORD kSoon = 20'000;  // ms; nothing that a test waits for takes so long

}  // namespace opennd
