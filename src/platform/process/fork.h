// SPDX-License-Identifier: MIT
// Functions that every child of fork runs first.
#pragma once

namespace opennd {

// Every child of fork calls `run` before fork returns there, in the order of registration. `run` may do little more
// than stores and system calls, since locks may be held for ever. Any thread.
void in_each_child(void (*run)());

}  // namespace opennd
