// SPDX-License-Identifier: MIT
// The probes `connect`, `refuse` and `end` (docs/probes.md).
#pragma once

#include "base/status.h"
#include "core/adapter/activity.h"
#include "core/state/connector_state.h"

namespace opennd {

// Of a change of state: nothing but those that are a probe's. `why`: of the events refuse, fail and lose_peer. Any thread, also under a connector's
// lock.
void probe_connection(ConnectorState from, ConnectorEvent event, Status why, const LiveConnection& is) noexcept;

}  // namespace opennd
