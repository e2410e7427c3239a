// SPDX-License-Identifier: MIT
// See fork.h.
#include "platform/process/fork.h"

#include <pthread.h>

#include "base/fork_step.h"

namespace opennd {
namespace {

// Before main, so that no fork comes before it.
[[maybe_unused]] const int forks_watched = ::pthread_atfork(&ForkStep::before, &ForkStep::behind, &ForkStep::in_child);

}  // namespace

bool watch_forks() noexcept { return forks_watched == 0; }

}  // namespace opennd
