// SPDX-License-Identifier: MIT
// See freed_memory.h.
#include "check/transport/freed_memory.h"

#include <dlfcn.h>

namespace opennd {

bool is_known_as_freed(const void* address) noexcept {
    // Of the sanitizer's interface: the call stack of the free; its length is 0 for memory that was not.
    using FreeStack = std::size_t (*)(const void* address, void** frames, std::size_t most, int* thread);
    static const auto free_stack = reinterpret_cast<FreeStack>(::dlsym(RTLD_DEFAULT, "__asan_get_free_stack"));
    void* frame = nullptr;
    int thread = 0;
    return free_stack && free_stack(address, &frame, 1, &thread) != 0;
}

}  // namespace opennd
