// SPDX-License-Identifier: MIT
// See local_names.h.
#include "platform/descriptor/local_names.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace opennd {
namespace {

constexpr unsigned long kListens = 0x10000;  // __SO_ACCEPTCON

// "Num: RefCount Protocol Flags Type St Inode Path"; an abstract path begins with "@".
constexpr int kFlags = 3, kPath = 7;

std::string_view take_column(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const std::string_view column = line.substr(0, line.find(' '));
    line.remove_prefix(column.size());
    return column;
}

}  // namespace

std::vector<std::string> local_names(std::string_view prefix) {
    std::vector<std::string> names;
    std::ifstream table("/proc/net/unix");
    for (std::string text; std::getline(table, text);) {
        std::string_view rest = text;
        unsigned long flags = 0;
        for (int column = 0; column < kPath; ++column) {
            const std::string_view word = take_column(rest);
            if (column == kFlags) flags = std::strtoul(std::string(word).c_str(), nullptr, 16);
        }
        rest.remove_prefix(std::min<std::size_t>(rest.size(), 1));
        if ((flags & kListens) == 0 || !rest.starts_with('@')) continue;
        rest.remove_prefix(1);
        if (rest.starts_with(prefix)) names.emplace_back(rest);
    }
    return names;
}

}  // namespace opennd
