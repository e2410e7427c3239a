// SPDX-License-Identifier: MIT
// Work that owes somebody a result, and has nobody to tell that memory is missing.
#pragma once

#include <chrono>
#include <new>
#include <thread>
#include <utility>

namespace opennd {

// Calls `work`, which changes nothing where it throws std::bad_alloc, until it has memory. Some bytes are asked for: another thread frees
// as many, or the system has them a moment later. Any thread.
template <typename Work>
auto until_memory(Work&& work) {
    constexpr std::chrono::milliseconds kPause{1};
    for (;;) {
        try {
            return work();
        } catch (const std::bad_alloc&) {
            std::this_thread::sleep_for(kPause);
        }
    }
}

// Appends to a list in this way. The list may be guarded by a lock, which clang would not see to be held in the caller's lambda.
template <typename List, typename Value>
void append_until_memory(List& list, Value&& value) {
    until_memory([&] { list.push_back(std::forward<Value>(value)); });
}

}  // namespace opennd
