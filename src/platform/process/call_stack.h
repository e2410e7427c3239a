// SPDX-License-Identifier: MIT
// The call site of a thread of the program: its frames outside of this library.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace opennd {

// Return addresses, the innermost first. A value.
struct CallStack {
    static constexpr std::size_t kMost = 16;

    std::array<const void*, kMost> frames{};
    std::size_t count = 0;

    bool operator==(const CallStack&) const = default;

    // Those that count, to tell one call site from another. In parentheses: braces would make a vector of two iterators.
    std::vector<const void*> return_addresses() const {
        return std::vector<const void*>(frames.data(), frames.data() + count);
    }
};

// Those of the calling thread, without the innermost ones that lie in the file of this code: the program's, for a program that is not linked with the
// archive. None for a thread of the library. Takes microseconds, and memory the first time. Any thread.
CallStack program_stack() noexcept;

// The text of one frame: "post_all(int)+0x1f in server+0x11a4f", as far as the system knows; the last number is for addr2line. A function has a name if
// its file exports it. Throws std::bad_alloc.
std::string frame_text(const void* frame);

// "post_all(int)+0x1f in server+0x11a4f < main+0x30 in server+0x12001"; at most `most` frames. Empty for a thread of the library.
std::string stack_text(const CallStack& stack, std::size_t most = CallStack::kMost);

}  // namespace opennd
