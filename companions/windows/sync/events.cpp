// SPDX-License-Identifier: MIT
// Events of Win32, which are libopennd's.
#include "win32/events.h"

#include "opennd.h"
#include "windows/companion.h"
#include "windows/last_error.h"
#include "windows/sync/names.h"

using namespace opennd::windows;

namespace {

HANDLE create(BOOL manual_reset, BOOL signalled, bool named) {
    if (named) return refuse_name("CreateEvent");
    HANDLE event = nullptr;
    const HRESULT status = opennd_event_create(manual_reset, signalled, &event);
    return FAILED(status) ? fail(win32_error(status), HANDLE{}) : event;
}

}  // namespace

HANDLE CreateEventA(LPSECURITY_ATTRIBUTES, BOOL bManualReset, BOOL bInitialState, LPCSTR lpName) {
    return create(bManualReset, bInitialState, lpName != nullptr);
}

HANDLE CreateEventW(LPSECURITY_ATTRIBUTES, BOOL bManualReset, BOOL bInitialState, LPCWSTR lpName) {
    return create(bManualReset, bInitialState, lpName != nullptr);
}

BOOL SetEvent(HANDLE hEvent) {
    if (find_companion(hEvent)) return fail(ERROR_INVALID_HANDLE, FALSE);
    return succeed_or_fail(opennd_event_set(hEvent));
}

BOOL ResetEvent(HANDLE hEvent) {
    if (find_companion(hEvent)) return fail(ERROR_INVALID_HANDLE, FALSE);
    return succeed_or_fail(opennd_event_reset(hEvent));
}
