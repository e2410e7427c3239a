// SPDX-License-Identifier: MIT
//
// The transports that suites of the public interface run over: all that need no hardware, or those that a script names.
#pragma once

#include <vector>

namespace opennd::support {

// OPENND_TEST_TRANSPORTS, a list with commas ("verbs"); without it loopback, shm and iwarp. Of static storage.
const std::vector<const char*>& tested_transports();

// Whether the adapters join a device and a wire ("verbs+shm"): their limits are the least of both, and they have no shared receive queues.
bool is_joint(const char* transport);
// The wire that two ends of one process take by this choice: of a joint adapter that behind the sign.
const char* wire_within_a_process(const char* transport);

}  // namespace opennd::support
