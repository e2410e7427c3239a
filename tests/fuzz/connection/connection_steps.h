// SPDX-License-Identifier: MIT
// The choices of a script's octets for the connection fuzzer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opennd::fuzz {

enum class ConnectionMode : std::uint8_t {
    handshake,  // the peer's octets from the first one
    stream,     // behind a Request in order: octets
    messages,   // behind a Request in order: the steps below, in FPDUs with a right CRC
};
inline constexpr std::size_t kConnectionModes = 3;

enum class ConnectionStep : std::uint8_t {
    send,  // the next segment of the message that is open, or of a new one
    write,
    read,
    fence,      // a Read of no bytes
    answer,     // to this side's Read, if it posted one
    ulpdu,      // any octets in an FPDU
    octets,     // any octets
    again,      // the numbers of messages do not go on
    receipt,    // of octets that this side has sent, or not
    immediate,  // immediate data, behind a Write or not, as RFC 7306 has them or not
};
inline constexpr std::size_t kConnectionSteps = 10;

}  // namespace opennd::fuzz
