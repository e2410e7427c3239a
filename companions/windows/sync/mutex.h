// SPDX-License-Identifier: MIT
// A mutex: an event, signalled while the mutex is free, and the owner's thread id.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "win32/mutexes.h"
#include "win32/threads.h"
#include "windows/companion.h"

namespace opennd::windows {

class Mutex final : public Companion {
public:
    // `free` is a handle of the mutex's own for the event, beside the program's: those may be closed while a thread holds it.
    explicit Mutex(HANDLE free) : free_(free) {}
    ~Mutex() override;

    // The calling thread holds it.
    bool is_mine() const { return owner_.load(std::memory_order_relaxed) == GetCurrentThreadId(); }

    // Before a wait that may take as many. Throws std::bad_alloc.
    static void make_room(std::size_t mutexes);

    // Ends a wait that took the event's signal, or that found its own thread the owner. WAIT_ABANDONED: the thread that
    // held it before ended; otherwise WAIT_OBJECT_0.
    static DWORD take(const std::shared_ptr<Mutex>& mutex) noexcept;

    // Returns false if the calling thread does not hold it.
    bool release();

    // The calling thread ends: abandons its mutexes. Threads of CreateThread call it twice: before their end is
    // visible, and in Held's destructor.
    static void abandon_all() noexcept;

private:
    void give_up();

    const HANDLE free_;
    // Of a thread only its own number matters to it, which nobody else writes: no order is needed.
    std::atomic<DWORD> owner_{0};
    // Both belong to the thread that took the event's signal, which orders its accesses and those of the next.
    DWORD depth_ = 0;
    bool abandoned_ = false;
};

// The mutex of a handle; null: not a mutex. Costs one load while the process has made none.
std::shared_ptr<Mutex> find_mutex(HANDLE handle) noexcept;

}  // namespace opennd::windows
