// SPDX-License-Identifier: MIT
// See trace_proof.h. ptrace(2) has the rules under "Ptrace access mode checking", proc(5) says where they count.
#include "platform/host/trace_proof.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

#include "base/format.h"
#include "platform/host/random.h"
#include "platform/process/errno_status.h"

namespace opennd {
namespace {

// As /proc shows the name of a memfd.
constexpr std::string_view kPrefix = "/memfd:opennd.proof/";
constexpr std::string_view kSuffix = " (deleted)";

}  // namespace

Result<TraceProof> TraceProof::ask() {
    std::array<std::byte, 16> secret;
    fill_random(secret);
    std::string name = "opennd.proof/";
    for (const std::byte each : secret) name += format("{:02x}", std::to_integer<unsigned>(each));
    Descriptor named = Descriptor::made([&] { return ::memfd_create(name.c_str(), MFD_CLOEXEC); });
    if (!named) return resource_status(errno);
    return TraceProof(std::move(named), std::move(name));
}

// No other name is given away: a process may ask for that of any descriptor of its own, and learns nothing that it does not know.
std::string give_trace_proof(pid_t process, int number) {
    std::array<char, 128> name;
    const ssize_t length = ::readlink(format("/proc/{}/fd/{}", process, number).c_str(), name.data(), name.size());
    if (length <= 0) return {};
    const std::string_view shown(name.data(), static_cast<std::size_t>(length));
    if (!shown.starts_with(kPrefix) || !shown.ends_with(kSuffix)) return {};
    constexpr std::size_t kNameAt = std::string_view("/memfd:").size();
    return std::string(shown.substr(kNameAt, shown.size() - kNameAt - kSuffix.size()));
}

}  // namespace opennd
