// SPDX-License-Identifier: MIT
// The other end of a local socket, which keeps no rule of the handshake.
#pragma once

#include <vector>

#include "fuzz/handshake/handshake_steps.h"
#include "fuzz/script.h"
#include "platform/descriptor/local_socket.h"
#include "platform/memory/shared_memory.h"

namespace opennd::fuzz {

class HostileCaller {
public:
    explicit HostileCaller(LocalSocket socket);

    // A record of any content. True: it is one that ends a connection by the rules.
    bool say(Script& script);
    // A packet that is no record.
    void babble(Script& script);

private:
    int attachment(Attachment which) const;
    void listen();

    LocalSocket socket_;
    SharedMemory segment_;  // an arena, of this link alone
    std::uint64_t nonce_ = 0;
};

}  // namespace opennd::fuzz
