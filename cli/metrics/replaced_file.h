// SPDX-License-Identifier: MIT
//
// A file whose readers see its old content or its new one, never a part.
#pragma once

#include <string>
#include <string_view>

namespace nd {

// Writes a file beside `path`, which everybody may read, and renames it. Its name does not end as that of `path` does, so that programs
// that look for an ending pass it by. Throws std::runtime_error, and leaves the old file.
void replace_file(const std::string& path, std::string_view content);

}  // namespace nd
