// SPDX-License-Identifier: MIT
// The probes `connect`, `refuse` and `end` (docs/probes.md).
#pragma once

#include "base/status.h"
#include "core/adapter/activity.h"
#include "core/state/connector_state.h"

namespace opennd {

// Of a change of state that Activity::concerns. `why`: of the events refuse, fail and lose_peer. Any thread, also under a connector's
// lock.
void probe_connection(ConnectorEvent event, Status why, const LiveConnection& is) noexcept;

}  // namespace opennd
