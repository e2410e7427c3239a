// SPDX-License-Identifier: MIT
// See this_process.h.
#include "platform/process/this_process.h"

#include <pthread.h>

#include <cerrno>

#include "base/fork_step.h"

namespace opennd {
namespace {

// Before main, so that no fork comes before it.
[[maybe_unused]] const int forks_watched = ::pthread_atfork(&ForkStep::before, &ForkStep::behind, &ForkStep::in_child);

}  // namespace

const char* program_name() { return program_invocation_short_name; }

bool watch_forks() noexcept { return forks_watched == 0; }

}  // namespace opennd
