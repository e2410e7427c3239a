// SPDX-License-Identifier: MIT
// The table of views; see views.h.
#include "windows/memory/views.h"

#include <map>
#include <mutex>

namespace opennd::windows {
namespace {

struct Table {
    std::mutex mutex;
    std::map<std::uintptr_t, SIZE_T> bytes_by_begin;
};

Table& table() {
    static auto* const table = new Table;  // never destroyed: programs end views while they exit
    return *table;
}

}  // namespace

void keep_view(const View& view) {
    const std::lock_guard held(table().mutex);
    table().bytes_by_begin.insert_or_assign(view.begin, view.bytes);
}

std::optional<View> take_view(std::uintptr_t begin) noexcept {
    const std::lock_guard held(table().mutex);
    const auto found = table().bytes_by_begin.find(begin);
    if (found == table().bytes_by_begin.end()) return std::nullopt;
    const View view{found->first, found->second};
    table().bytes_by_begin.erase(found);
    return view;
}

std::optional<View> find_view(std::uintptr_t address) noexcept {
    const std::lock_guard held(table().mutex);
    auto next = table().bytes_by_begin.upper_bound(address);
    if (next == table().bytes_by_begin.begin()) return std::nullopt;
    --next;
    if (address - next->first >= next->second) return std::nullopt;
    return View{next->first, next->second};
}

}  // namespace opennd::windows
