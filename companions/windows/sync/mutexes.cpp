// SPDX-License-Identifier: MIT
// CreateMutex, ReleaseMutex, and mutexes abandoned by a thread's end; see mutex.h. waits.cpp takes them.
#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "opennd.h"
#include "windows/last_error.h"
#include "windows/sync/mutex.h"
#include "windows/sync/names.h"

namespace opennd::windows {
namespace {

// Set by the first mutex, before anybody has its handle.
std::atomic<bool> any{false};

// The thread's mutexes. Its destructor serves threads that CreateThread did not start.
struct Held {
    std::vector<std::shared_ptr<Mutex>> mutexes;
    ~Held() { Mutex::abandon_all(); }
};
thread_local Held held;

}  // namespace

Mutex::~Mutex() { opennd_handle_close(free_); }

void Mutex::make_room(std::size_t mutexes) { held.mutexes.reserve(held.mutexes.size() + mutexes); }

DWORD Mutex::take(const std::shared_ptr<Mutex>& mutex) noexcept {
    if (!mutex->is_mine()) {
        held.mutexes.push_back(mutex);
        mutex->owner_.store(GetCurrentThreadId(), std::memory_order_relaxed);
    }
    ++mutex->depth_;
    return std::exchange(mutex->abandoned_, false) ? WAIT_ABANDONED : WAIT_OBJECT_0;
}

bool Mutex::release() {
    if (!is_mine()) return false;
    if (--depth_ != 0) return true;
    const auto place = std::find_if(held.mutexes.begin(), held.mutexes.end(),
                                    [this](const std::shared_ptr<Mutex>& mutex) { return mutex.get() == this; });
    const std::shared_ptr<Mutex> stays = std::move(*place);
    held.mutexes.erase(place);
    give_up();
    return true;
}

void Mutex::abandon_all() noexcept {
    for (const std::shared_ptr<Mutex>& mutex : held.mutexes) {
        mutex->depth_ = 0;
        mutex->abandoned_ = true;
        mutex->give_up();
    }
    held.mutexes.clear();
}

void Mutex::give_up() {
    owner_.store(0, std::memory_order_relaxed);
    opennd_event_set(free_);
}

std::shared_ptr<Mutex> find_mutex(HANDLE handle) noexcept {
    return any.load(std::memory_order_relaxed) ? find_companion<Mutex>(handle) : nullptr;
}

namespace {

HANDLE create(BOOL owned, bool named) {
    if (named) return refuse_name("CreateMutex");
    any.store(true, std::memory_order_relaxed);
    const auto [handle, own] = open_event_of_two(FALSE, owned ? FALSE : TRUE);
    if (handle == nullptr) return nullptr;
    std::shared_ptr<Mutex> mutex;
    try {
        mutex = std::make_shared<Mutex>(own);
        keep_companion(handle, mutex);
        if (owned) {
            Mutex::make_room(1);
            Mutex::take(mutex);
        }
    } catch (const std::bad_alloc&) {
        if (!mutex) opennd_handle_close(own);
        CloseHandle(handle);
        return fail(ERROR_NOT_ENOUGH_MEMORY, HANDLE{});
    }
    return handle;
}

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

HANDLE CreateMutexA(LPSECURITY_ATTRIBUTES, BOOL bInitialOwner, LPCSTR lpName) {
    return create(bInitialOwner, lpName != nullptr);
}

HANDLE CreateMutexW(LPSECURITY_ATTRIBUTES, BOOL bInitialOwner, LPCWSTR lpName) {
    return create(bInitialOwner, lpName != nullptr);
}

BOOL ReleaseMutex(HANDLE hMutex) {
    const auto mutex = find_mutex(hMutex);
    if (!mutex) return fail(ERROR_INVALID_HANDLE, FALSE);
    return mutex->release() ? TRUE : fail(ERROR_NOT_OWNER, FALSE);
}
