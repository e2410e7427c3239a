// SPDX-License-Identifier: MIT
//
// The text of rping. Read rping_protocol.h first.
#include "ping/rping_protocol.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace nd {
namespace {

constexpr char kFirst = 'A', kLast = 'z';
constexpr std::uint32_t kLetters = kLast - kFirst + 1;

}  // namespace

void fill_rping_text(std::byte* buffer, std::size_t bytes, std::uint32_t round) {
    if (bytes == 0) return;
    const std::string head = "rdma-ping-" + std::to_string(round) + ": ";
    const std::size_t begin = std::min(head.size(), bytes);
    std::memcpy(buffer, head.data(), begin);
    for (std::size_t i = begin; i < bytes; i++) buffer[i] = std::byte(kFirst + (round + i - begin) % kLetters);
    buffer[bytes - 1] = std::byte{0};
}

void verify_rping_text(const std::byte* buffer, std::size_t bytes, std::uint32_t round, const char* what) {
    std::vector<std::byte> expected(bytes);
    fill_rping_text(expected.data(), bytes, round);
    const auto [found, wanted] = std::mismatch(buffer, buffer + bytes, expected.begin());
    if (wanted == expected.end()) return;
    throw std::runtime_error("verification failed: " + std::string(what) + ", round " + std::to_string(round) +
                             ": byte " + std::to_string(found - buffer) + " of " + std::to_string(bytes) +
                             " is not what rping sends");
}

}  // namespace nd
