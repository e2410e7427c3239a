// SPDX-License-Identifier: MIT
// CloseHandle, DuplicateHandle and the handles that stand for the caller.
#include "win32/handles.h"

#include <unistd.h>

#include <new>

#include "opennd.h"
#include "windows/companion.h"
#include "windows/last_error.h"

using namespace opennd::windows;

HANDLE GetCurrentProcess(VOID) { return reinterpret_cast<HANDLE>(LONG_PTR{-1}); }

DWORD GetCurrentProcessId(VOID) { return static_cast<DWORD>(getpid()); }

BOOL CloseHandle(HANDLE hObject) {
    // First, so that no other handle with this number can have come into being.
    const auto companion = find_companion(hObject);
    if (companion) drop_companion(hObject);
    return succeed_or_fail(opennd_handle_close(hObject));
}

BOOL DuplicateHandle(HANDLE hSourceProcessHandle, HANDLE hSourceHandle, HANDLE hTargetProcessHandle,
                     LPHANDLE lpTargetHandle, DWORD, BOOL, DWORD dwOptions) {
    if (hSourceProcessHandle != GetCurrentProcess() || hTargetProcessHandle != GetCurrentProcess())
        return fail(ERROR_INVALID_HANDLE, FALSE);
    if (lpTargetHandle == nullptr || (dwOptions & ~DWORD{DUPLICATE_CLOSE_SOURCE | DUPLICATE_SAME_ACCESS}) != 0)
        return fail(ERROR_INVALID_PARAMETER, FALSE);
    const auto companion = find_companion(hSourceHandle);
    HANDLE duplicate = nullptr;
    if (const HRESULT status = opennd_handle_duplicate(hSourceHandle, &duplicate); FAILED(status))
        return fail(win32_error(status), FALSE);
    try {
        if (companion) keep_companion(duplicate, companion);
    } catch (const std::bad_alloc&) {
        opennd_handle_close(duplicate);
        return fail(ERROR_NOT_ENOUGH_MEMORY, FALSE);
    }
    if ((dwOptions & DUPLICATE_CLOSE_SOURCE) != 0) CloseHandle(hSourceHandle);
    *lpTargetHandle = duplicate;
    return TRUE;
}
