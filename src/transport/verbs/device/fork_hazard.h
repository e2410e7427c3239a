// SPDX-License-Identifier: MIT
// The hazard of fork for pinned memory on kernels before Linux 5.12: a child shares the pages of registered memory, so that the
// parent's next write moves the parent to a copy, while the device goes on with the page that the child keeps. OpenND does not call
// ibv_fork_init for the program, which takes registered pages away from every child, and costs a system call for each
// registration: it tells what can happen.
#pragma once

#include <string>
#include <string_view>

#include "transport/verbs/device/rdma_core.h"

namespace opennd::verbs {

// Returns a line for the log; empty: fork is safe here. `release` is the kernel's, as uname(2) tells it. Asked before the first
// registration.
std::string fork_hazard(const VerbsFunctions& ibv, std::string_view release);

// Returns that line for the kernel of this host.
std::string fork_hazard(const VerbsFunctions& ibv);

}  // namespace opennd::verbs
