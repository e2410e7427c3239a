// SPDX-License-Identifier: MIT
// Whether another user could have written a file that this process would obey or run.
#pragma once

#include <string>

namespace opennd {

// Why the file cannot be trusted, for a log line; empty: it can. The file, and the folder that names it, must belong to
// root or to the effective user. Only that user, root and the effective group may write to them; others may write to a
// folder with the sticky bit, where each removes only files of its own. A program with rights that its caller lacks
// accepts root's files alone, and no group. Symbolic links are followed. A missing file is trusted. Any thread.
std::string distrust(const std::string& path);

}  // namespace opennd
