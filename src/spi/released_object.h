// SPDX-License-Identifier: MIT
// COM objects after their last Release, under the checking layer: the memory of the newest ones stays, with a table of methods that tell of each
// call (CHECK-AFTER-RELEASE). Without the checking layer their memory is freed at once.
#pragma once

#include <cstddef>

namespace opennd {

// The beginning of a kept object, where the object had its table.
struct ReleasedObject {
    const void* table;
    const char* methods;  // as in method_names.h
};

inline constexpr std::size_t kUnknownMethods = 3;  // which all interfaces begin with
inline constexpr std::size_t kMostMethods = 16;

// Takes the memory of an object whose destructor has run, from operator new. It frees the oldest that it has kept.
void keep_released(void* memory, const char* methods) noexcept;

}  // namespace opennd
