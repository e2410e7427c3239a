// SPDX-License-Identifier: MIT
// The table of companions; see companion.h.
#include "windows/companion.h"

#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

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
