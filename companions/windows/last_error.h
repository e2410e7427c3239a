// SPDX-License-Identifier: MIT
// How a function of Win32 fails: it leaves a code in its thread and returns its own kind of "no".
#pragma once

#include "win32/errors.h"

namespace opennd::windows {

// The code of Win32 for a status of Network Direct; never ERROR_SUCCESS for one that fails.
DWORD win32_error(HRESULT status);

// The code of Win32 for an errno.
DWORD win32_error_of_errno(int error);

// Leaves the code and returns `no`, so that a failing function is left in one statement.
template <typename No>
No fail(DWORD error, No no) {
    SetLastError(error);
    return no;
}

// For functions that return BOOL: TRUE if `status` succeeds, otherwise FALSE and the code.
BOOL succeed_or_fail(HRESULT status);

}  // namespace opennd::windows
