// SPDX-License-Identifier: MIT
// See thread_number.h.
#include "platform/process/thread_number.h"

#include <unistd.h>

#include "platform/process/fork.h"

namespace opennd {
namespace {

// 0: not asked. The thread that forks has another number in the child.
thread_local int own_number = 0;

}  // namespace

int thread_number() {
    static const bool forgotten_by_children = (in_each_child([] { own_number = 0; }), true);
    static_cast<void>(forgotten_by_children);
    if (own_number == 0) [[unlikely]]
        own_number = ::gettid();
    return own_number;
}

}  // namespace opennd
