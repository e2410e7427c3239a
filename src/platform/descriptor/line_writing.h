// SPDX-License-Identifier: MIT
// Lines that are written without a wait for their reader.
#pragma once

#include <string_view>

namespace opennd {

// Writes to a file, a terminal, a pipe or a socket; its open file may be other processes' too, and keeps its flags. False: there is no room now,
// nobody reads, the file is full. A line of more than 4 KiB may be cut. No signal is raised. Any thread.
[[nodiscard]] bool write_line(int fd, std::string_view line) noexcept;

// Sends to the socket of the system's log. False: there is none, or it takes no more now. Any thread.
[[nodiscard]] bool send_to_system_log(std::string_view line) noexcept;

}  // namespace opennd
