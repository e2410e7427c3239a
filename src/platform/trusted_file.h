// SPDX-License-Identifier: MIT
// Whether a file that this process would obey or run can be somebody else's work.
#pragma once

#include <string>

namespace opennd {

// Why it can, for a log line; empty: it cannot. The file, and the folder that names it, must belong to root or to the effective
// user; nobody else may write to them, but for the effective group, and to a folder where each may remove only what is
// their own (the sticky bit). A program that runs with rights which its caller lacks is stricter: root's alone, and no group.
// Symbolic links are followed. A file that does not exist is no one's work. Any thread.
std::string distrust(const std::string& path);

}  // namespace opennd
