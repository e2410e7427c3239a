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

// The texts of one frame, the innermost first: "fetch(Peer&) in main.cpp:57" if its file has debug information and libdw is there (source_places.h),
// one for each function that the compiler put in place of its call, then one for the function around them. Otherwise one: "fetch(Peer&) in server+0x3a1f", where
// the number is for addr2line. A function has a name there if the file has its symbols and libdw is there, or if the file exports it. Throws std::bad_alloc.
std::vector<std::string> frame_texts(const void* frame);

// "fetch(Peer&) in main.cpp:57 < main in main.cpp:140"; at most `most` texts. Empty for a thread of the library.
std::string stack_text(const CallStack& stack, std::size_t most = CallStack::kMost);

}  // namespace opennd
