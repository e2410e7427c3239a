// SPDX-License-Identifier: MIT
//
// The end of a test that needs what the adapter has not, as a Query says.
#pragma once

#include <cstdint>

namespace opennd::support {

// With a limit of 0 ends the running test as skipped, from any depth of its calls: "no memory windows here (MaxWindowSize)". On the test's
// own thread. Adapters of software, which have all, are no reason: the test goes on, and fails.
void skip_without(std::uint64_t limit, const char* what, const char* name_of_limit);

}  // namespace opennd::support
