// SPDX-License-Identifier: MIT
// The log's memory in a process that begins.
#pragma once

namespace opennd {

// From here on the log keeps lines of this process alone. A child of fork begins so by itself; a simulated process, which shares the log
// with others, by this call. No other thread logs meanwhile.
void begin_log_of_child() noexcept;

}  // namespace opennd
