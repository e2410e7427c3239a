// SPDX-License-Identifier: MIT
// See fork.h.
#include "platform/process/fork.h"

#include <pthread.h>

namespace opennd {

void in_each_child(void (*run)()) { ::pthread_atfork(nullptr, nullptr, run); }

}  // namespace opennd
