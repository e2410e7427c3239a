// SPDX-License-Identifier: MIT
//
// Read checks.h first.
#include "doctor/checks.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace nd {
namespace {

constexpr rlim_t kLittlePinnedMemory = 64u << 20;

std::vector<std::string> names_in(const char* folder) {
    std::vector<std::string> names;
    const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder), &::closedir);
    while (const dirent* entry = open ? ::readdir(open.get()) : nullptr)
        if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    std::ranges::sort(names);
    return names;
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

Finding check_rights() {
    std::string refused;
    for (const std::string& name : names_in("/dev/infiniband")) {
        const std::string path = "/dev/infiniband/" + name;
        if (name.starts_with("uverbs") && ::access(path.c_str(), R_OK | W_OK) != 0) refused = path;
    }
    if (::access("/dev/infiniband/rdma_cm", R_OK | W_OK) != 0) refused = "/dev/infiniband/rdma_cm";
    if (refused.empty()) return {Verdict::good, "rights to RDMA devices", "read and write"};
    return {Verdict::problem, "rights to RDMA devices", refused + ": " + std::strerror(errno),
            "the devices' addresses are served by TCP and shared memory alone",
            "give this user the right to /dev/infiniband, and the container the devices"};
}

Finding check_library() {
    void* const library = ::dlopen("librdmacm.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return {Verdict::problem, "rdma-core", ::dlerror(),
                "the devices' addresses are served by TCP and shared memory alone", "install librdmacm1"};
    ::dlclose(library);
    return {Verdict::good, "rdma-core", "librdmacm.so.1 is there"};
}

Finding check_pinned_memory() {
    rlimit limit{};
    (void)::getrlimit(RLIMIT_MEMLOCK, &limit);
    const bool unlimited = limit.rlim_cur == RLIM_INFINITY;
    const std::string found = unlimited ? "unlimited" : std::to_string(limit.rlim_cur >> 10) + " KiB";
    if (unlimited || limit.rlim_cur >= kLittlePinnedMemory) return {Verdict::good, "pinned memory", found};
    return {Verdict::problem, "pinned memory", found, "a device refuses to register more memory than that",
            "raise the limit (ulimit -l; LimitMEMLOCK= of a service)"};
}

}  // namespace

Findings check_hardware() {
    const std::vector<std::string> devices = names_in("/sys/class/infiniband");
    if (devices.empty()) return {{Verdict::good, "RDMA devices", "none; TCP and shared memory need none"}};
    return {{Verdict::good, "RDMA devices", listed(devices), "used where OPENND_TRANSPORT has verbs in front"},
            check_rights(),
            check_library(),
            check_pinned_memory()};
}

}  // namespace nd
