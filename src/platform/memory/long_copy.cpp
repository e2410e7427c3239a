// SPDX-License-Identifier: MIT
// See long_copy.h.
#include "platform/memory/long_copy.h"

#include <atomic>
#include <cstring>

namespace opennd {
namespace {

// Relaxed: each is read by itself, and any of its values gives the same bytes.
std::atomic<CopyWay> way_apart{CopyWays{}.apart}, way_behind{CopyWays{}.behind};

void copy_in_strides(std::byte* to, const std::byte* from, std::size_t bytes) {
    for (; bytes > kCopyStrideBytes; to += kCopyStrideBytes, from += kCopyStrideBytes, bytes -= kCopyStrideBytes)
        std::memcpy(to, from, kCopyStrideBytes);
    std::memcpy(to, from, bytes);
}

bool lies_behind(const std::byte* to, const std::byte* from) {
    const auto distance = reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
    return (distance - 1) % kCopyPage < kCopyBehind - 1;
}

// Sanitizers see what memcpy touches, and not what the instruction touches.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr bool kHasInstruction = true;

void copy_by_instruction(std::byte* to, const std::byte* from, std::size_t bytes) {
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}
#else
constexpr bool kHasInstruction = false;

void copy_by_instruction(std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
#endif

}  // namespace

bool has(CopyWay way) { return kHasInstruction || way != CopyWay::instruction; }

void set_copy_ways(CopyWays ways) {
    way_apart.store(ways.apart, std::memory_order_relaxed);
    way_behind.store(ways.behind, std::memory_order_relaxed);
}

CopyWays copy_ways() { return {way_apart.load(std::memory_order_relaxed), way_behind.load(std::memory_order_relaxed)}; }

void copy_by(CopyWay way, std::byte* to, const std::byte* from, std::size_t bytes) {
    switch (way) {
        case CopyWay::strides: return copy_in_strides(to, from, bytes);
        case CopyWay::instruction: return copy_by_instruction(to, from, bytes);
        case CopyWay::library: break;
    }
    std::memcpy(to, from, bytes);
}

void copy_longer(std::byte* to, const std::byte* from, std::size_t bytes) {
    copy_by((lies_behind(to, from) ? way_behind : way_apart).load(std::memory_order_relaxed), to, from, bytes);
}

}  // namespace opennd
