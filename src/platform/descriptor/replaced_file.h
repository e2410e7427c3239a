// SPDX-License-Identifier: MIT
// A file that is replaced as a whole.
#pragma once

#include <string>
#include <string_view>

namespace opennd {

// Readers of `path` see the old file or the new one, whole; only this user may read the new one. False: errno says why, and the old
// one stays; EPERM: the old one is another user's. It is written beside the old one, by a name that no other user can have taken before. Throws std::bad_alloc.
bool replace_file(const std::string& path, std::string_view text);

}  // namespace opennd
