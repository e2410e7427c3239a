// SPDX-License-Identifier: MIT
// See fork_hazard.h.
#include "transport/verbs/device/fork_hazard.h"

#include <sys/utsname.h>

#include <charconv>
#include <utility>

#include "base/format.h"

namespace opennd::verbs {
namespace {

// From this release on the kernel copies pinned pages for the child.
constexpr std::pair<unsigned, unsigned> kCopiesPinnedPages{5, 12};

// Returns the first two numbers of a release, "5.10.0-8-amd64"; zeros: it is worded otherwise.
std::pair<unsigned, unsigned> version_of(std::string_view release) {
    std::pair<unsigned, unsigned> version{};
    const char* const end = release.data() + release.size();
    const auto [dot, error] = std::from_chars(release.data(), end, version.first);
    if (error != std::errc{} || dot == end || *dot != '.') return {};
    (void)std::from_chars(dot + 1, end, version.second);
    return version;
}

}  // namespace

std::string fork_hazard(const VerbsFunctions& ibv, std::string_view release) {
    // Some kernels of distributions copy these pages though their release is older: libibverbs asks the kernel.
    const bool is_safe = ibv.is_fork_initialized ? ibv.is_fork_initialized() != IBV_FORK_DISABLED
                                                 : version_of(release) >= kCopiesPinnedPages;
    if (is_safe) return {};
    return format(
        "RDMA devices: Linux {} lets a child of fork share registered memory, and data that arrive while it lives may "
        "be lost to this process; start programs by posix_spawn, let a child call exec at once, or set "
        "RDMAV_FORK_SAFE=1 for rdma-core",
        release);
}

std::string fork_hazard(const VerbsFunctions& ibv) {
    utsname names{};
    return ::uname(&names) == 0 ? fork_hazard(ibv, names.release) : std::string();
}

}  // namespace opennd::verbs
