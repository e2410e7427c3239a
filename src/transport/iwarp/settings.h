// SPDX-License-Identifier: MIT
// An administrator's settings of iWARP connections.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "platform/descriptor/tcp_socket.h"
#include "transport/iwarp/wire/crc32c.h"
#include "transport/iwarp/wire/fpdu.h"

namespace opennd::iwarp {

// The proof that completes a Send or Write, which iWARP leaves open (docs/decisions/0012, 0040).
enum class CompletionProof : std::uint8_t {
    automatic,  // receipts where both ends agree on them, else fenced with an OpenND peer, local with any other
    fenced,     // the peer has placed it: a Read of no bytes behind it was answered
    local,      // TCP has it. Also instead of fenced where the peer grants no Reads
    receipts,   // the peer has placed it, and says so in its next message; of `automatic` alone
};

// Which revision of MPA an initiator asks for (IW-CM-17, -19). A listener answers either.
enum class Revisions : std::uint8_t {
    automatic,  // 2, and 1 where the peer does not know 2
    two,
    one,
};

// When an initiator opens the stream (IW-CM-11).
enum class OpenAt : std::uint8_t {
    complete_connect,  // when its program completes
    reply,             // with the Reply: for peers that wait less long than the program takes
};

struct Settings {
    Crc crc = Crc::on;  // off: still on if the peer wants it (IW-MPA-07, -09)
    // How CRCs are computed; none: as crc_choice() says. Of the process.
    std::optional<CrcWay> crc_way = {};
    CompletionProof completion = CompletionProof::automatic;
    Revisions revisions = Revisions::automatic;
    OpenAt open_at = OpenAt::complete_connect;
    TcpOptions tcp;  // dead_after: IW-CM-02
    // T_reply and T_rtr: how long the peer's program may take to answer, and to complete. 0: for ever.
    std::chrono::milliseconds patience{120'000};
    // After which a connection without traffic ends. 0: never (IW-SEC-25).
    std::chrono::milliseconds idle{0};
};

}  // namespace opennd::iwarp
