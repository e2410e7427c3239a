// SPDX-License-Identifier: MIT
//
// The requirements of docs/requirements, whose ids stand behind the explanations of the library.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nd {

// One document, as the build found it.
struct RequirementPage {
    std::string_view name;  // "nd2.md"
    std::string_view text;
};
std::span<const RequirementPage> requirement_pages();

struct Requirement {
    std::string_view page;
    std::string_view text;
};
// The requirement with an id as "ND2-QP-SEND-03"; empty if no page has it.
std::optional<Requirement> find_requirement(std::string_view id);
std::vector<std::string> requirement_ids();

}  // namespace nd
