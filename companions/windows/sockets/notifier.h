// SPDX-License-Identifier: MIT
// Handles that tell of changes and are no files: sockets, and the one that stands for the catalogue of providers.
#pragma once

#include "win32/types.h"

namespace opennd::windows {

// For WSAProviderConfigChange. NULL: no handle or no memory left. CloseHandle closes it.
HANDLE make_notifier() noexcept;
bool is_notifier(HANDLE handle);

enum class Association { done, refused, other };

// For CreateIoCompletionPort. other: it is neither a socket nor such a handle.
Association associate_notifier(HANDLE handle, HANDLE port, ULONG_PTR key);

}  // namespace opennd::windows
