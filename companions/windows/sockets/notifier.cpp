// SPDX-License-Identifier: MIT
// See notifier.h.
#include "windows/sockets/notifier.h"

#include <sys/stat.h>

#include <climits>
#include <memory>
#include <new>

#include "opennd.h"
#include "windows/companion.h"
#include "windows/sockets/address_changes.h"

namespace opennd::windows {
namespace {

class Notifier final : public Companion {};

// Handles of libopennd are above all descriptors.
bool is_socket(HANDLE handle) {
    const auto number = reinterpret_cast<ULONG_PTR>(handle);
    struct stat status;
    return number <= INT_MAX && fstat(static_cast<int>(number), &status) == 0 && S_ISSOCK(status.st_mode);
}

}  // namespace

HANDLE make_notifier() noexcept try {
    return open_companion(std::make_shared<Notifier>());
} catch (const std::bad_alloc&) {
    return nullptr;
}

bool is_notifier(HANDLE handle) { return find_companion<Notifier>(handle) != nullptr; }

Association associate_notifier(HANDLE handle, HANDLE port, ULONG_PTR key) {
    opennd_handle_kind kind{};
    const bool socket = is_socket(handle);
    if (!socket && !is_notifier(handle)) return Association::other;
    if (FAILED(opennd_handle_query(port, &kind)) || kind != OPENND_HANDLE_PORT) return Association::refused;
    if (!socket) return Association::done;  // the catalogue does not change, so that no packet ever comes
    const auto number = static_cast<SOCKET>(reinterpret_cast<ULONG_PTR>(handle));
    return AddressChanges::instance().associate(number, port, key) ? Association::done : Association::refused;
}

}  // namespace opennd::windows
