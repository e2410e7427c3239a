// SPDX-License-Identifier: MIT
// See page_check.h.
#include "core/memory/page_check.h"

#include <algorithm>

#include "base/explanation.h"

namespace opennd {

Status check_pages(const PageList& pages, std::string_view operation) {
    const auto refuse = [&](std::string_view asked, std::string_view limit, std::string_view remedy) {
        return explain(Status::invalid_parameter, {.object = "memory region",
                                                   .operation = operation,
                                                   .asked = asked,
                                                   .limit = limit,
                                                   .remedy = remedy,
                                                   .requirement = "NDK-QP-FREG-01"});
    };
    const auto misplaced =
        std::find_if(pages.pages.begin(), pages.pages.end(), [](std::uint64_t page) { return page % kPageBytes != 0; });
    if (misplaced != pages.pages.end())
        return refuse(phrase("a page at {:#x}", *misplaced), phrase("multiples of {}", kPageBytes),
                      "pass where pages begin, and the first byte's place in its page beside");
    if (pages.first_byte >= kPageBytes)
        return refuse(phrase("a first byte offset of {}", pages.first_byte), phrase("less than {}", kPageBytes),
                      "begin the list with the page that holds the first byte");
    const std::uint64_t held = std::uint64_t{pages.pages.size()} * kPageBytes;
    const std::uint64_t room = held == 0 ? 0 : held - pages.first_byte;
    if (pages.length == 0 || pages.length > room)
        return refuse(phrase("{} bytes from byte {} on", pages.length, pages.first_byte),
                      phrase("1 to {}, the room in {} pages", room, pages.pages.size()),
                      "pass more pages, or fewer bytes");
    if (pages.base + pages.length < pages.base)
        return refuse(phrase("{} bytes at base {:#x}", pages.length, pages.base), "a range that does not wrap",
                      "choose a smaller base");
    return Status::success;
}

}  // namespace opennd
