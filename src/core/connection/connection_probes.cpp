// SPDX-License-Identifier: MIT
// See connection_probes.h.
#include "core/connection/connection_probes.h"

#include "base/probes.h"

namespace opennd {

void probe_connection([[maybe_unused]] ConnectorState from, [[maybe_unused]] ConnectorEvent event,
                      [[maybe_unused]] Status why, [[maybe_unused]] const LiveConnection& is) noexcept {
    [[maybe_unused]] const sockaddr_storage local = is.local.to_sockaddr(), peer = is.peer.to_sockaddr();
    switch (event) {
        case ConnectorEvent::establish:
            OPENND_PROBE(connect, &local, &peer, is.queue_pair, is.carrier.wire.data(), is.carrier.peer_process);
            return;
        case ConnectorEvent::refuse:
        case ConnectorEvent::fail: OPENND_PROBE(refuse, &local, &peer, static_cast<int>(why)); return;
        default:
            if (from == ConnectorState::connected)
                OPENND_PROBE(end, &local, &peer, is.queue_pair, static_cast<int>(why));
            return;
    }
}

}  // namespace opennd
