// SPDX-License-Identifier: MIT
// See freed_memory.h.
#include "transport/watch/misuse/freed_memory.h"

#include <dlfcn.h>

#include <atomic>

namespace opennd::watch {
namespace {

// Functions of the sanitizer's interface. The call stack of the free; its length is 0 for memory that was not.
using FreeStack = std::size_t (*)(const void* address, void** frames, std::size_t most, int* thread);
// The byte may not be used now: freed memory is poisoned until its addresses are given out again, by the heap or by mmap.
using IsPoisoned = int (*)(const void* address);

bool ask_nobody(const void*) { return false; }

// The sanitizer remembers the free also of addresses that have other memory now, where a program has unmapped the heap's.
bool ask_sanitizer(const void* address) {
    static constexpr const char *kFreeStack = "__asan_get_free_stack", *kIsPoisoned = "__asan_address_is_poisoned";
    const auto is_poisoned = reinterpret_cast<IsPoisoned>(::dlsym(RTLD_DEFAULT, kIsPoisoned));
    const auto free_stack = reinterpret_cast<FreeStack>(::dlsym(RTLD_DEFAULT, kFreeStack));
    void* frame = nullptr;
    int thread = 0;
    return is_poisoned(address) != 0 && free_stack(address, &frame, 1, &thread) != 0;
}

bool ask_first(const void* address);

// Relaxed: every thread finds the same.
constinit std::atomic<bool (*)(const void* address)> ask{&ask_first};

bool ask_first(const void* address) {
    const bool is_there = ::dlsym(RTLD_DEFAULT, "__asan_get_free_stack") != nullptr;
    ask.store(is_there ? &ask_sanitizer : &ask_nobody, std::memory_order_relaxed);
    return is_there && ask_sanitizer(address);
}

}  // namespace

bool is_known_as_freed(const void* address) noexcept { return ask.load(std::memory_order_relaxed)(address); }

}  // namespace opennd::watch
