// SPDX-License-Identifier: MIT
// See environment.h.
#include "library/settings/environment.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace opennd {

const char* environment_value(const char* variable) { return ::secure_getenv(variable); }

std::vector<std::string_view> environment_names(std::string_view prefix) {
    std::vector<std::string_view> names;
    for (char** each = ::environ; each && *each; ++each) {
        const std::string_view entry = *each;
        if (!entry.starts_with(prefix)) continue;
        const std::string_view name = entry.substr(0, entry.find('='));
        if (environment_value(std::string(name).c_str())) names.push_back(name);
    }
    return names;
}

}  // namespace opennd
