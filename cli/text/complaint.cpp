// SPDX-License-Identifier: MIT
//
// Read complaint.h first.
#include "text/complaint.h"

#include "text/wrapped_text.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

namespace nd {
namespace {

constexpr std::size_t kMore = 2;  // blanks before the rest of a line

void print_wrapped_line(std::string_view line) {
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    std::string before(blanks, ' ');
    for (const std::string& part : wrapped(line.substr(blanks), kColumns - blanks - kMore)) {
        std::fprintf(stderr, "%s%s\n", before.c_str(), part.c_str());
        before.resize(blanks + kMore, ' ');
    }
}

}  // namespace

void print_complaint(std::string_view text) {
    const bool on_terminal = ::isatty(STDERR_FILENO) == 1;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        if (on_terminal && line.size() > kColumns)
            print_wrapped_line(line);
        else
            std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
        begin = end + 1;
    }
}

}  // namespace nd
