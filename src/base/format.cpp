// SPDX-License-Identifier: MIT
// The one place where the formatter is compiled; see format.h.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

#include "base/format.h"

namespace opennd {

std::string format_arguments(std::string_view text, fmt::format_args arguments) {
    return fmt::vformat(fmt::string_view(text.data(), text.size()), arguments);
}

std::size_t format_arguments_to(char* out, std::size_t out_bytes, std::string_view text,
                                fmt::format_args arguments) noexcept {
    try {
        return fmt::vformat_to_n(out, out_bytes, fmt::string_view(text.data(), text.size()), arguments).size;
    } catch (...) {  // formats are checked when they are compiled: this is a formatter of the program's own, or memory
        return 0;
    }
}

}  // namespace opennd
