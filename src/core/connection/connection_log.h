// SPDX-License-Identifier: MIT
// The life of connections in the log: one line at `info` when a connection is up, is refused, is given up, ends or is lost, with its
// addresses, its wire, and the reason.
#pragma once

#include "base/status.h"
#include "core/adapter/activity.h"
#include "core/state/connector_state.h"
#include "model/end_cause.h"

namespace opennd {

// Writes the line of a change of state that people look for, and nothing for any other. `why`: of the events refuse and fail;
// `cause`: of lose_peer. A line for which there is no memory is left out. Any thread, also under a connector's lock.
void log_connection(ConnectorState from, ConnectorEvent event, Status why, EndCause cause,
                    const LiveConnection& is) noexcept;

// The probes `connect`, `refuse` and `end` (docs/probes.md), each at its change of state; nothing at any other. `why`: of the events refuse, fail and lose_peer. Any thread, also under a connector's
// lock.
void probe_connection(ConnectorState from, ConnectorEvent event, Status why, const LiveConnection& is) noexcept;

}  // namespace opennd
