// SPDX-License-Identifier: MIT
// When a method of an object with states may be called, in words; and the refusal made of them.
#pragma once

#include <string_view>

#include "base/explanation.h"

namespace opennd {

struct MethodRule {
    std::string_view operation;
    std::string_view allowed;
    std::string_view remedy;
    std::string_view requirement;
};

// Gives back `status`. `circumstances`: "called while idle".
[[gnu::cold]] inline Status refuse(std::string_view object, const MethodRule& rule, std::string_view circumstances,
                                   Status status, CheckRule misuse = {}) {
    return explain(status, {.object = object,
                            .operation = rule.operation,
                            .asked = circumstances,
                            .limit = rule.allowed,
                            .remedy = rule.remedy,
                            .requirement = rule.requirement,
                            .rule = misuse});
}

}  // namespace opennd
