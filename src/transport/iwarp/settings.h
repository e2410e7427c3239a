// SPDX-License-Identifier: MIT
// What an administrator may choose for iWARP connections: read once, from the environment.
#pragma once

#include <cstdint>

#include "platform/tcp_socket.h"
#include "transport/iwarp/wire/fpdu.h"

namespace opennd::iwarp {

// When a Send or Write is complete, which iWARP itself does not say (spec/iwarp.md 4.9; docs/decisions/0012).
enum class Completion : std::uint8_t {
    fenced,  // the peer has placed it: a Read of no bytes behind it was answered
    local,   // TCP has it. Also where the peer grants no Reads
};

struct Settings {
    Crc crc = Crc::on;                           // OPENND_IWARP_CRC=off; still on if the peer wants it (IW-MPA-07, -09)
    Completion completion = Completion::fenced;  // OPENND_IWARP_COMPLETION=local
    TcpOptions tcp;                              // OPENND_IWARP_DEAD_MS (IW-CM-02)

    // What is misspelt is logged, and the default stands.
    static Settings from_environment();
};

}  // namespace opennd::iwarp
