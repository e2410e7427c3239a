// SPDX-License-Identifier: MIT
//
// Read peer_text.h first.
#include "network/connection/peer_text.h"

#include <cstdio>
#include <cstring>

namespace nd {

std::string peer_text(const char* text, std::size_t room) {
    std::string result;
    for (std::size_t i = 0; i < strnlen(text, room); i++) {
        const auto octet = static_cast<unsigned char>(text[i]);
        char escaped[5] = {text[i]};
        if (octet < 0x20 || octet > 0x7E) std::snprintf(escaped, sizeof escaped, "\\x%02X", octet);
        result += escaped;
    }
    return result;
}

}  // namespace nd
