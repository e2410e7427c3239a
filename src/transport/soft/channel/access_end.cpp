// SPDX-License-Identifier: MIT
// AccessEnd: see access_end.h.
#include "transport/soft/channel/access_end.h"

#include <thread>

#include "base/explanation.h"
#include "transport/soft/channel/channel.h"

namespace opennd::soft {

bool AccessEnd::wait_for_peer(Channel& channel, Token token) const {
    while (channel.access().peer_accesses(token)) {
        if (is_over()) {
            channel.access().distrust_peer();
            (void)report(
                Status::connection_aborted,
                {.object = "memory region",
                 .operation = "Deregister",
                 .asked = phrase("the end of the peer's access through token {:#x}", value(token)),
                 .limit = phrase("{} s of waiting for all peers; the connection ends", patience_.count()),
                 .remedy = "see whether the peer's process was stopped; do not reuse the memory while it exists",
                 .requirement = "ND2-MR-DEREG-02",
                 .cause = LogCause::peer});
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

}  // namespace opennd::soft
