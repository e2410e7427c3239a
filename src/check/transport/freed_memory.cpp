// SPDX-License-Identifier: MIT
// See freed_memory.h.
#include "check/transport/freed_memory.h"

#include <dlfcn.h>

#include <atomic>

namespace opennd {

namespace {

// A function of the sanitizer's interface: the call stack of the free; its length is 0 for memory that was not.
using FreeStack = std::size_t (*)(const void* address, void** frames, std::size_t most, int* thread);

std::size_t ask_nobody(const void*, void**, std::size_t, int*) { return 0; }
std::size_t ask_first(const void* address, void** frames, std::size_t most, int* thread);

// Relaxed: every thread finds the same.
constinit std::atomic<FreeStack> free_stack{&ask_first};

std::size_t ask_first(const void* address, void** frames, std::size_t most, int* thread) {
    const auto found = reinterpret_cast<FreeStack>(::dlsym(RTLD_DEFAULT, "__asan_get_free_stack"));
    free_stack.store(found ? found : &ask_nobody, std::memory_order_relaxed);
    return free_stack.load(std::memory_order_relaxed)(address, frames, most, thread);
}

}  // namespace

bool is_known_as_freed(const void* address) noexcept {
    void* frame = nullptr;
    int thread = 0;
    return free_stack.load(std::memory_order_relaxed)(address, &frame, 1, &thread) != 0;
}

}  // namespace opennd
