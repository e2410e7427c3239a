// SPDX-License-Identifier: MIT
//
// VanishingMemory: memory of a program that breaks its promise, and takes pages away while they are registered.
#pragma once

#include <cstddef>
#include <span>

namespace opennd::support {

// How pages go: all of this ends in a signal for a thread that touches them.
enum class Way {
    unmapped,
    protected_,  // PROT_NONE
    cut_short,   // a shared mapping of a file that is truncated
};

const char* name_of(Way way);

// Zeros, writable, page-aligned. At addresses that nobody else is given, so that a hole stays one.
class VanishingMemory {
public:
    VanishingMemory(Way way, std::size_t bytes);
    VanishingMemory(const VanishingMemory&) = delete;
    VanishingMemory& operator=(const VanishingMemory&) = delete;
    ~VanishingMemory();

    // The pages from this offset on, which is rounded up, are gone.
    void vanish(std::size_t from = 0);

    std::byte* data() const { return data_; }
    std::size_t size() const { return bytes_; }
    std::span<std::byte> bytes() const { return {data_, bytes_}; }

private:
    const Way way_;
    const std::size_t bytes_;
    int file_ = -1;
    std::byte* data_;
};

}  // namespace opennd::support
