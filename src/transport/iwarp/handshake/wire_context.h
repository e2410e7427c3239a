// SPDX-License-Identifier: MIT
// The objects that all connections and listeners of the wire share. Made with the wire, gone with the last of them.
#pragma once

#include "base/ref.h"
#include "transport/iwarp/handshake/callers.h"
#include "transport/iwarp/handshake/revision_cache.h"
#include "transport/iwarp/poller_watch.h"
#include "transport/iwarp/settings.h"
#include "transport/iwarp/socket_buffers.h"

namespace opennd::iwarp {

struct WireContext final : RefCounted {
    explicit WireContext(const Settings& chosen) : settings(chosen) {}

    const Settings settings;
    const Ref<PollerWatch> pollers = make_ref<PollerWatch>();
    const Ref<SocketBuffers> buffers = make_ref<SocketBuffers>();
    RevisionCache revisions;
    Callers callers;
};

}  // namespace opennd::iwarp
