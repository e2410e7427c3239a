// SPDX-License-Identifier: MIT
// The choices of a script's first octet for the iWARP fuzzer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opennd::fuzz {

enum class IwarpTarget : std::uint8_t {
    request,           // octets for a responder that waits for a Request
    reply,             // octets for an initiator that waits for a Reply
    stream,            // octets of a stream, CRC checked
    unchecked_stream,  // CRC not checked
    ulpdus,            // ULPDUs in FPDUs with a right CRC: one octet or three of length, then as many octets
    marked_ulpdus,     // the same, with markers
    message,           // a message cut and put together again
};
inline constexpr std::size_t kIwarpTargets = 7;

}  // namespace opennd::fuzz
