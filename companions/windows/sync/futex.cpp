// SPDX-License-Identifier: MIT
// See futex.h.
#include "windows/sync/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

namespace opennd::windows {
namespace {

void wake(const DWORD& word, int threads) {
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

}  // namespace

bool futex_wait(const DWORD& word, DWORD expected, const Deadline& deadline) {
    timespec until{};
    const timespec* limit = nullptr;
    if (const auto at = deadline.at()) {
        const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(at->time_since_epoch()).count();
        until = {.tv_sec = since / 1'000'000'000, .tv_nsec = since % 1'000'000'000};
        limit = &until;
    }
    // WAIT_BITSET takes a point in time where WAIT takes a span.
    const long result =
        syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected, limit, nullptr, FUTEX_BITSET_MATCH_ANY);
    return result == 0 || errno != ETIMEDOUT;
}

void futex_wake_one(const DWORD& word) { wake(word, 1); }
void futex_wake_all(const DWORD& word) { wake(word, INT_MAX); }

}  // namespace opennd::windows
