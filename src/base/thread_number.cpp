// SPDX-License-Identifier: MIT
// See thread_number.h.
#include "base/thread_number.h"

#include <unistd.h>

#include "base/fork_step.h"

namespace opennd {
namespace {

// 0: not asked. The thread that forks has another number in the child.
constinit thread_local int own_number = 0;

class Numbers final : public ForkStep {
    void begin_child() noexcept override { own_number = 0; }
};
constinit Numbers thread_numbers;
[[maybe_unused]] const bool thread_numbers_listed = thread_numbers.list();

}  // namespace

int thread_number() {
    if (own_number == 0) [[unlikely]]
        own_number = ::gettid();
    return own_number;
}

}  // namespace opennd
