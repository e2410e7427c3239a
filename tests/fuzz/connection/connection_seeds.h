// SPDX-License-Identifier: MIT
// The beginning of the corpus for the connection fuzzer: peers that are right in all they do, and one that says nothing.
#pragma once

#include <filesystem>

namespace opennd::fuzz {

void write_connection_seeds(const std::filesystem::path& to);

}  // namespace opennd::fuzz
