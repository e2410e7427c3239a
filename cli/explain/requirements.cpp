// SPDX-License-Identifier: MIT
//
// Read requirements.h first.
#include "explain/requirements.h"

#include <algorithm>

namespace nd {
namespace {

constexpr std::string_view kItem = "- ";
constexpr std::string_view kColon = ": ";

// Calls `take(id, text)` for each line "- ND2-QP-SEND-03: the text", until it returns true.
template <typename Take>
bool each_item(std::string_view page, Take&& take) {
    while (!page.empty()) {
        const std::size_t end = std::min(page.find('\n'), page.size());
        const std::string_view line = page.substr(0, end);
        page.remove_prefix(std::min(end + 1, page.size()));
        const std::size_t colon = line.find(kColon);
        if (!line.starts_with(kItem) || colon == std::string_view::npos) continue;
        if (take(line.substr(kItem.size(), colon - kItem.size()), line.substr(colon + kColon.size()))) return true;
    }
    return false;
}

}  // namespace

std::optional<Requirement> find_requirement(std::string_view id) {
    Requirement found;
    for (const RequirementPage& page : requirement_pages()) {
        found.page = page.name;
        if (each_item(page.text, [&](std::string_view name, std::string_view text) {
                found.text = text;
                return name == id;
            }))
            return found;
    }
    return std::nullopt;
}

std::vector<std::string> requirement_ids() {
    std::vector<std::string> ids;
    for (const RequirementPage& page : requirement_pages())
        (void)each_item(page.text,
                        [&](std::string_view name, std::string_view) { return ids.emplace_back(name), false; });
    return ids;
}

}  // namespace nd
