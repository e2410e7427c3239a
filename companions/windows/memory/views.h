// SPDX-License-Identifier: MIT
// The views of file mappings in this process, by their addresses.
#pragma once

#include <cstdint>
#include <optional>

#include "win32/types.h"

namespace opennd::windows {

struct View {
    std::uintptr_t begin = 0;
    SIZE_T bytes = 0;
};

// Throws std::bad_alloc.
void keep_view(const View& view);

// Forgets the view that begins there. nullopt: none does.
std::optional<View> take_view(std::uintptr_t begin) noexcept;

// The view that holds the address. nullopt: none does.
std::optional<View> find_view(std::uintptr_t address) noexcept;

}  // namespace opennd::windows
