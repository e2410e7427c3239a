// SPDX-License-Identifier: MIT
// The log's memory in a child of fork.
#pragma once

namespace opennd {

// From here on the log keeps lines of this process alone. In a child of fork, before it logs: another thread of the parent may have been
// inside the parent's lines, which are left as they are. Without memory the child keeps none.
void begin_log_of_child() noexcept;

}  // namespace opennd
