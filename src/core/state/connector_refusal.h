// SPDX-License-Identifier: MIT
// What connector_state.h says no to, in words.
#pragma once

#include "core/state/connector_state.h"

namespace opennd {

// `method` may not be called in `state`. Returns `status`, the result of check().
[[gnu::cold]] Status refuse(ConnectorMethod method, ConnectorState state, Status status);

}  // namespace opennd
