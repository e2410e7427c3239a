// SPDX-License-Identifier: MIT
// What connector_state.h says no to, in words.
#pragma once

#include "base/check_rule.h"
#include "core/state/connector_state.h"

namespace opennd {

// `method` may not be called in `state`. Returns `status`, the result of check().
[[gnu::cold]] Status refuse(ConnectorMethod method, ConnectorState state, Status status, ConnectorHistory history = {});

// The misuse that this refusal is, for the checking layer; none: the program could not know better, or no rule is about it.
CheckRule misuse_of(ConnectorMethod method, ConnectorState state, ConnectorHistory history);

}  // namespace opennd
