// SPDX-License-Identifier: MIT
// See host_id.h.
#include "platform/host/host_id.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "platform/descriptor/descriptor.h"

namespace opennd {
namespace {

// FNV-1a.
void add(std::uint32_t& hash, std::string_view octets) {
    for (const char octet : octets) hash = (hash ^ static_cast<unsigned char>(octet)) * 0x01000193u;
}

}  // namespace

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

}  // namespace opennd
