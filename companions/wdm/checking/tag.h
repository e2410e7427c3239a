// SPDX-License-Identifier: MIT
// Tags of memory as people read them.
#pragma once

#include <string>

#include "kernel/types.h"

namespace opennd::wdm {

// In the order of bytes in memory, as debuggers show it: 'dcba' of a source is "abcd".
inline std::string text_of_tag(ULONG tag) {
    std::string text = "'";
    for (int shift = 0; shift < 32; shift += 8) {
        const char c = static_cast<char>(tag >> shift & 0xFF);
        text += c >= ' ' && c < 127 ? c : '.';
    }
    return text + '\'';
}

}  // namespace opennd::wdm
