// SPDX-License-Identifier: MIT
// The state that this library keeps for a handle that is more than its event: a thread, a section of memory.
#pragma once

#include <cstdint>
#include <memory>

#include "win32/types.h"

namespace opennd::windows {

class Companion {
public:
    Companion() = default;
    Companion(const Companion&) = delete;
    Companion& operator=(const Companion&) = delete;
    virtual ~Companion() = default;
};

// The handle without its two lowest bits, which are the program's.
inline std::uintptr_t number_of(HANDLE handle) { return reinterpret_cast<std::uintptr_t>(handle) & ~std::uintptr_t{3}; }

// Remembers the companion of an open handle; several handles may share one. Throws std::bad_alloc.
void keep_companion(HANDLE handle, std::shared_ptr<Companion> companion);

// A handle of its own for it: an event that nobody sets, so that its number is of the space of all handles. Null: there is none
// left, and the last error says why. Throws std::bad_alloc.
HANDLE open_companion(std::shared_ptr<Companion> companion);

// An event under two handles: the program's, and one of the companion's own, which is there while the companion is.
struct EventOfTwo {
    HANDLE programs = nullptr;  // null: no handle is left, and the last error says why
    HANDLE own = nullptr;
};
EventOfTwo open_event_of_two(BOOL manual_reset, BOOL signalled);

// Forgets it, if there is one; ends it if no other handle has it.
void drop_companion(HANDLE handle) noexcept;

// The companion of a handle; null: it has none.
std::shared_ptr<Companion> find_companion(HANDLE handle) noexcept;

// The companion as a Kind; null: the handle stands for something else.
template <typename Kind>
std::shared_ptr<Kind> find_companion(HANDLE handle) noexcept {
    return std::dynamic_pointer_cast<Kind>(find_companion(handle));
}

}  // namespace opennd::windows
