// SPDX-License-Identifier: MIT
// The beginning of the corpus for iWARP: the golden frames, in order and out of it, and messages
// that just fit or just do not.
#pragma once

#include <filesystem>

namespace opennd::fuzz {

void write_iwarp_seeds(const std::filesystem::path& to);

}  // namespace opennd::fuzz
