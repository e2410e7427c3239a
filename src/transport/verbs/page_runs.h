// SPDX-License-Identifier: MIT
// Runs of neighbouring pages in a list of pages: a device registers a run as one range.
#pragma once

#include <cstdint>
#include <optional>

#include "model/page_list.h"

namespace opennd::verbs {

// The address of the first byte, if all the pages that `list` uses are neighbours.
constexpr std::optional<std::uint64_t> single_run(const PageList& list) {
    const std::uint64_t pages = (list.first_byte + list.length + kPageBytes - 1) / kPageBytes;
    if (pages > list.pages.size() || pages == 0) return std::nullopt;
    for (std::uint64_t i = 1; i < pages; ++i)
        if (list.pages[i] != list.pages[i - 1] + kPageBytes) return std::nullopt;
    return list.pages[0] + list.first_byte;
}

}  // namespace opennd::verbs
