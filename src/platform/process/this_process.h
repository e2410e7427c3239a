// SPDX-License-Identifier: MIT
// This process: its program, and its forks.
#pragma once

namespace opennd {

// The name of the program that this process runs, without its folder.
const char* program_name();

// The forks of this process run the steps of base/fork_step.h, from the loading of the library on. A program that links the static library gets this part of it by this name. True: there was memory for the handlers.
bool watch_forks() noexcept;

}  // namespace opennd
