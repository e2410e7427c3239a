// SPDX-License-Identifier: MIT
//
// Text of the other side's, for a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace nd {

// Up to its first zero or to `room` octets, with \xNN for each that is not printable ASCII.
std::string peer_text(const char* text, std::size_t room);

template <std::size_t kSize>
std::string peer_text(const char (&text)[kSize]) {
    return peer_text(text, kSize);
}

}  // namespace nd
