// SPDX-License-Identifier: MIT
// Text that may have come from a peer, made fit for a line of a log or a terminal.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace opennd {

// `text` with \xNN for each octet that could move a cursor, end a line or begin a command of a terminal: control
// characters of ASCII and of ISO 6429's second set (in UTF-8 or alone), and octets that are not UTF-8.
std::string printable(std::string_view text);

// Makes `text` printable in place, with ? for each such octet. Allocates nothing.
void make_printable(std::span<char> text) noexcept;

}  // namespace opennd
