// SPDX-License-Identifier: MIT
//
// Read checks.h first.
#include "doctor/checks.h"
#include "doctor/small_file.h"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>

namespace nd {
namespace {

// Each connection over TCP takes one; a few are the library's, the rest the program's.
constexpr rlim_t kFewDescriptors = 256;

std::string count(rlim_t value) { return value == RLIM_INFINITY ? "unlimited" : std::to_string(value); }

Finding check_descriptors() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return {Verdict::note, "descriptors", "their limit is not known"};
    const std::string found = count(limit.rlim_cur) + ", at most " + count(limit.rlim_max);
    const std::string consequence = "a connection over TCP takes one, a connection on one host none";
    if (limit.rlim_cur < kFewDescriptors)
        return {Verdict::problem, "descriptors", found, consequence, "raise the limit (ulimit -n)"};
    return {Verdict::good, "descriptors", found, consequence};
}

// A namespace of users that maps few of them: its root is somebody else outside.
bool maps_every_user() {
    const auto map = first_line("/proc/self/uid_map");
    if (!map) return true;
    std::istringstream words(*map);
    unsigned long long inside = 0, outside = 0, length = 0;
    words >> inside >> outside >> length;
    return inside == 0 && outside == 0 && length >= 0xFFFFFFFF;
}

Finding check_user() {
    const std::string found = "user " + std::to_string(::geteuid());
    if (maps_every_user()) return {Verdict::good, "user", found};
    return {Verdict::note, "user", found + " in a namespace of its own (/proc/self/uid_map)",
            "a process of another namespace of users counts as another user, and takes the way of one",
            "run programs that meet on one host in one namespace of users"};
}

// The first process of a host is not in a namespace; its number there is that of every namespace above.
Finding check_namespaces() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (!line.starts_with("NSpid:")) continue;
        std::istringstream words(line.substr(6));
        int levels = 0;
        for (int pid = 0; words >> pid;) ++levels;
        if (levels > 1)
            return {Verdict::note, "namespaces", std::to_string(levels) + " levels of process numbers",
                    "the kernel copies memory between processes of one namespace alone",
                    "share the host's process numbers (--pid=host) between containers that meet on one host"};
    }
    return {Verdict::good, "namespaces", "process numbers are of one level"};
}

}  // namespace

Findings check_process() { return {check_descriptors(), check_user(), check_namespaces()}; }

}  // namespace nd
