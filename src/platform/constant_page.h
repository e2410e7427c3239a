// SPDX-License-Identifier: MIT
// Constants on pages of their own that nobody writes by mistake, and that a child of fork may replace for itself.
#pragma once

#include <cstddef>

namespace opennd {

// A copy of `contents`, as long as the process; null: no memory.
const void* make_constant_page(const void* contents, std::size_t bytes) noexcept;
// What make_constant_page() gave holds `contents` from now on, at most as many bytes as before. In a child, while it has one
// thread; the parent's is not changed. Only system calls.
void replace_constant_page(const void* page, const void* contents, std::size_t bytes) noexcept;
// Gives back one that nobody has seen, with the `bytes` it was made with.
void drop_constant_page(const void* page, std::size_t bytes) noexcept;

}  // namespace opennd
