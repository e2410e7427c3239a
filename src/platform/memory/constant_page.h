// SPDX-License-Identifier: MIT
// Constants on pages of their own, protected against stray writes; a child of fork may replace them for itself.
#pragma once

#include <cstddef>

namespace opennd {

// A copy of `contents`, as long as the process; null: no memory.
const void* make_constant_page(const void* contents, std::size_t bytes) noexcept;
// A page of make_constant_page() holds `contents` from now on, at most as many bytes as before. In a child, while it
// has one thread; the parent's page is not changed. Only system calls.
void replace_constant_page(const void* page, const void* contents, std::size_t bytes) noexcept;
// Frees a page that no other code has seen, with its size in `bytes`.
void drop_constant_page(const void* page, std::size_t bytes) noexcept;

}  // namespace opennd
