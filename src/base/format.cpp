// SPDX-License-Identifier: MIT
// The one place where the formatter is compiled; see format.h.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

#include "base/format.h"

namespace opennd {

std::string format_arguments(std::string_view format, fmt::format_args arguments) {
    return fmt::vformat(fmt::string_view(format.data(), format.size()), arguments);
}

}  // namespace opennd
