// SPDX-License-Identifier: MIT
// See settings.h.
#include "ndk/device/settings.h"

#include <algorithm>

namespace opennd {
namespace {

std::string_view without_spaces(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

bool NdkSettings::disable(std::string_view interface) const {
    return std::find(disabled.begin(), disabled.end(), interface) != disabled.end();
}

std::vector<std::string> read_names(std::string_view list) {
    std::vector<std::string> names;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (const std::string_view name = without_spaces(list.substr(0, end)); !name.empty()) names.emplace_back(name);
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return names;
}

}  // namespace opennd
