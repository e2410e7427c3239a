// SPDX-License-Identifier: MIT
// The table of companions; see companion.h.
#include "windows/companion.h"

#include <cstdint>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "opennd.h"
#include "windows/last_error.h"

namespace opennd::windows {
namespace {

struct Table {
    std::shared_mutex mutex;
    std::unordered_map<std::uintptr_t, std::shared_ptr<Companion>> by_handle;
};

Table& table() {
    static auto* const table = new Table;  // never destroyed: programs close handles while they exit
    return *table;
}

}  // namespace

void keep_companion(HANDLE handle, std::shared_ptr<Companion> companion) {
    const std::unique_lock held(table().mutex);
    table().by_handle.insert_or_assign(number_of(handle), std::move(companion));
}

HANDLE open_companion(std::shared_ptr<Companion> companion) {
    HANDLE handle = nullptr;
    if (const HRESULT status = opennd_event_create(TRUE, FALSE, &handle); FAILED(status))
        return fail(win32_error(status), HANDLE{});
    try {
        keep_companion(handle, std::move(companion));
    } catch (const std::bad_alloc&) {
        opennd_handle_close(handle);
        throw;
    }
    return handle;
}

EventOfTwo open_event_of_two(BOOL manual_reset, BOOL signalled) {
    EventOfTwo event;
    if (const HRESULT status = opennd_event_create(manual_reset, signalled, &event.programs); FAILED(status))
        return fail(win32_error(status), EventOfTwo{});
    if (const HRESULT status = opennd_handle_duplicate(event.programs, &event.own); FAILED(status)) {
        opennd_handle_close(event.programs);
        return fail(win32_error(status), EventOfTwo{});
    }
    return event;
}

void drop_companion(HANDLE handle) noexcept {
    std::shared_ptr<Companion> ends_unlocked;
    const std::unique_lock held(table().mutex);
    const auto found = table().by_handle.find(number_of(handle));
    if (found == table().by_handle.end()) return;
    ends_unlocked = std::move(found->second);
    table().by_handle.erase(found);
}

std::shared_ptr<Companion> find_companion(HANDLE handle) noexcept {
    const std::shared_lock held(table().mutex);
    const auto found = table().by_handle.find(number_of(handle));
    return found == table().by_handle.end() ? nullptr : found->second;
}

}  // namespace opennd::windows
