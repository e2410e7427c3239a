// SPDX-License-Identifier: MIT
// getrandom, and a replacement on kernels without it; see random.h.
#include "platform/host/random.h"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/log.h"
#include "platform/process/clock.h"

namespace opennd {
namespace {

// The finishing step of SplitMix64: spreads every input bit over the result.
std::uint64_t mix(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

void fill_from_clocks(std::span<std::byte> bytes) {
    static std::atomic<bool> warned{false};
    static std::atomic<std::uint64_t> calls{0};
    if (!warned.exchange(true, std::memory_order_relaxed))
        log(LogLevel::warn,
            "random: getrandom failed ({}); tokens come from the clock and can be guessed: allow the "
            "getrandom system call in the sandbox of this process",
            std::strerror(errno));

    std::uint64_t state = mix(static_cast<std::uint64_t>(now().time_since_epoch().count()));
    state = mix(state ^ static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()));
    state = mix(state ^ static_cast<std::uint64_t>(::getpid()));
    state = mix(state ^ reinterpret_cast<std::uintptr_t>(&state));
    state = mix(state ^ calls.fetch_add(1, std::memory_order_relaxed));
    while (!bytes.empty()) {
        state = mix(state);
        const std::size_t length = std::min(bytes.size(), sizeof state);
        std::memcpy(bytes.data(), &state, length);
        bytes = bytes.subspan(length);
    }
}

}  // namespace

void fill_random(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t got = ::getrandom(bytes.data(), bytes.size(), 0);
        if (got > 0)
            bytes = bytes.subspan(static_cast<std::size_t>(got));
        else if (got < 0 && errno == EINTR)
            continue;
        else
            return fill_from_clocks(bytes);
    }
}

std::uint64_t random_u64() {
    std::uint64_t value = 0;
    fill_random(std::as_writable_bytes(std::span(&value, 1)));
    return value;
}

}  // namespace opennd
