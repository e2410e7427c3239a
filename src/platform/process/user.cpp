// SPDX-License-Identifier: MIT
// See user.h; user_namespaces(7) explains the overflow user.
#include "platform/process/user.h"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace opennd {
namespace {

constexpr uid_t kUsualOverflow = 65534;
// True for every number but the one that means none.
constexpr std::uint64_t kAllUsers = 0xffffffff;

// Negative: nobody has asked. Relaxed: every thread finds the same.
constinit std::atomic<std::int64_t> overflow_known{-1};

uid_t overflow_user() {
    std::ifstream file("/proc/sys/kernel/overflowuid");
    uid_t user = 0;
    return file >> user ? user : kUsualOverflow;
}

std::string own_map() {
    std::ifstream file("/proc/self/uid_map");
    return {std::istreambuf_iterator<char>(file), {}};
}

// Lines of three numbers: the first here, the first outside, how many. The ranges do not overlap.
bool maps_everybody(std::string_view map) {
    std::istringstream lines{std::string(map)};
    std::uint64_t here = 0, outside = 0, count = 0, sum = 0;
    while (lines >> here >> outside >> count) sum += count;
    return sum >= kAllUsers;
}

}  // namespace

UserMatch match_user(uid_t uid, uid_t own, uid_t overflow, std::string_view map) {
    if (uid != own) return UserMatch::another;
    return uid != overflow || maps_everybody(map) ? UserMatch::own : UserMatch::unknown;
}

uid_t own_user() { return ::geteuid(); }

UserMatch match_own_user(uid_t uid) {
    std::int64_t overflow = overflow_known.load(std::memory_order_relaxed);
    if (overflow < 0) overflow_known.store(overflow = overflow_user(), std::memory_order_relaxed);
    const uid_t own = own_user();
    return match_user(uid, own, static_cast<uid_t>(overflow),
                      uid == own && own == overflow ? own_map() : std::string());
}

}  // namespace opennd
