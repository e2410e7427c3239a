// SPDX-License-Identifier: MIT
//
// The transports that suites of the public interface run over: all that need no hardware, or those that a script names.
#pragma once

#include <vector>

namespace opennd::support {

// OPENND_TEST_TRANSPORTS, a list with commas ("verbs"); without it loopback, shm and iwarp. Of static storage.
const std::vector<const char*>& tested_transports();

}  // namespace opennd::support
