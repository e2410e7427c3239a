// SPDX-License-Identifier: MIT
// The calling thread by the system's number, for people who look into the process.
#pragma once

namespace opennd {

// A load, but for the first call of a thread and the first in a child of fork.
int thread_number();

}  // namespace opennd
