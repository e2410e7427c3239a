// SPDX-License-Identifier: MIT
// What children of this process do first.
#pragma once

namespace opennd {

// `run` is called in every child of fork before fork returns there, in the order of the calls of this; it may do little more
// than stores and system calls, for locks may be held for ever. Any thread.
void in_each_child(void (*run)());

}  // namespace opennd
