// SPDX-License-Identifier: MIT
// The forks of this process run the steps of base/fork_step.h, from the loading of the library on.
#pragma once

namespace opennd {

// A program that links the static library gets this part of it by this name. True: there was memory for the handlers.
bool watch_forks() noexcept;

}  // namespace opennd
