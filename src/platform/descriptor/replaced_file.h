// SPDX-License-Identifier: MIT
// A file that is replaced as a whole.
#pragma once

#include <string>
#include <string_view>

namespace opennd {

// Readers of `path` see the old file or the new one, whole; only this user may read the new one. False: errno says why, and the old
// one stays. Writes `path`.next first: one caller at a time for each path. Throws std::bad_alloc.
bool replace_file(const std::string& path, std::string_view text);

}  // namespace opennd
