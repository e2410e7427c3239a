// SPDX-License-Identifier: MIT
// The name of the program that this process runs, without its folder.
#pragma once

namespace opennd {

const char* program_name();

}  // namespace opennd
