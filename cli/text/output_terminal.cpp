// SPDX-License-Identifier: MIT
//
// Read output_terminal.h first.
#include "text/output_terminal.h"

#include "text/wrapped_text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <string_view>

namespace nd {
namespace {

std::string_view environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

// https://no-color.org: a NO_COLOR that is not empty.
bool has_colours() {
    const std::string_view terminal = environment("TERM");
    return ::isatty(STDOUT_FILENO) == 1 && environment("NO_COLOR").empty() && !terminal.empty() && terminal != "dumb";
}

// SGR parameters of ECMA-48.
const char* parameters(Style style) {
    switch (style) {
        case Style::plain: return "0";
        case Style::heading: return "1";
        case Style::good: return "32";
        case Style::note: return "33";
        case Style::problem: return "1;31";
    }
    return "0";
}

}  // namespace

std::size_t output_columns() {
    if (::isatty(STDOUT_FILENO) != 1) return std::numeric_limits<std::size_t>::max();
    winsize size = {};
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : kColumns;
}

std::string styled(Style style, const std::string& text) {
    if (style == Style::plain || text.empty() || !has_colours()) return text;
    return std::string("\x1b[") + parameters(style) + "m" + text + "\x1b[0m";
}

}  // namespace nd
