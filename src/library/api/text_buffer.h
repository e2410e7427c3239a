// SPDX-License-Identifier: MIT
// Buffers of the program for texts.
#pragma once

#include <cstddef>
#include <string_view>

#include "opennd.h"

namespace opennd {

inline bool is_buffer(const char* out, std::size_t out_bytes) { return out != nullptr && out_bytes != 0; }

// Cuts to fit; always terminated.
inline void copy_text(std::string_view text, char* out, std::size_t out_bytes) {
    out[text.copy(out, out_bytes - 1)] = '\0';
}

// Copies `text` into a program's buffer; *needed gets the bytes of the whole. ND_SUCCESS, or ND_BUFFER_OVERFLOW: it was cut.
inline HRESULT give_text(std::string_view text, char* out, std::size_t out_bytes, SIZE_T* needed) {
    copy_text(text, out, out_bytes);
    *needed = text.size() + 1;
    return *needed > out_bytes ? ND_BUFFER_OVERFLOW : ND_SUCCESS;
}

}  // namespace opennd
