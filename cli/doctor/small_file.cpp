// SPDX-License-Identifier: MIT
//
// Read small_file.h first.
#include "doctor/small_file.h"

#include <fstream>

namespace nd {

std::optional<std::string> first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    return line;
}

}  // namespace nd
