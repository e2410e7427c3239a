// SPDX-License-Identifier: MIT
// Methods that the state of their object does not allow, in words.
#pragma once

#include <string_view>

#include "base/check_rule.h"
#include "base/explanation.h"
#include "core/state/connector_state.h"

namespace opennd {

// `method` of a connector may not be called in `state` (connector_state.h). Returns `status`, the result of check().
[[gnu::cold]] Status refuse(ConnectorMethod method, ConnectorState state, Status status, ConnectorHistory history = {});

// The misuse that this refusal is, for the checking layer; none: the program could not know better, or no rule is about it.
CheckRule misuse_of(ConnectorMethod method, ConnectorState state, ConnectorHistory history);

// When a method of an object with states may be called, in words; and the refusal made of them.
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
