// SPDX-License-Identifier: MIT
// See host.h.
#include "platform/host/host.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "base/format.h"
#include "platform/descriptor/descriptor.h"

namespace opennd {
namespace {

// FNV-1a.
void add(std::uint32_t& hash, std::string_view octets) {
    for (const char octet : octets) hash = (hash ^ static_cast<unsigned char>(octet)) * 0x01000193u;
}

}  // namespace

std::uint64_t usable_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::uint64_t mask = 0;
    // Fails on machines with more processors than the set holds; then all count as usable.
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (unsigned processor = 0; processor < 64; ++processor)
            if (CPU_ISSET(processor, &set)) mask |= std::uint64_t{1} << processor;
    return mask != 0 ? mask : ~std::uint64_t{0};
}

std::size_t online_processors() { return static_cast<std::size_t>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1l)); }

std::uint32_t host_id() {
    std::array<char, 64> boot{};
    struct stat network {};
    const Descriptor file(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
    ssize_t bytes = -1;
    do bytes = file ? ::read(file.get(), boot.data(), boot.size()) : -1;
    while (file && bytes < 0 && errno == EINTR);
    if (bytes <= 0 || ::stat("/proc/self/ns/net", &network) != 0) return 0;
    std::uint32_t hash = 0x811C9DC5u;
    add(hash, {boot.data(), static_cast<std::size_t>(bytes)});
    add(hash, {reinterpret_cast<const char*>(&network.st_ino), sizeof network.st_ino});
    return hash;
}

std::string system_name() {
    utsname names{};
    return ::uname(&names) == 0 ? format("{} {}", names.sysname, names.release) : std::string("Linux");
}

}  // namespace opennd
