// SPDX-License-Identifier: MIT
// Providers of trace events, to which nobody listens.
#include <algorithm>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "evntprov.h"
#include "rpcdce.h"
#include "winerror.h"

namespace {

class Registrations {
public:
    // 0: out of memory.
    REGHANDLE add() {
        const std::lock_guard held(mutex_);
        try {
            handles_.push_back(++last_);
            return last_;
        } catch (const std::bad_alloc&) {
            return 0;
        }
    }
    bool remove(REGHANDLE handle) {
        const std::lock_guard held(mutex_);
        const auto found = std::find(handles_.begin(), handles_.end(), handle);
        if (found == handles_.end()) return false;
        handles_.erase(found);
        return true;
    }
    bool has(REGHANDLE handle) {
        const std::lock_guard held(mutex_);
        return std::find(handles_.begin(), handles_.end(), handle) != handles_.end();
    }

private:
    std::mutex mutex_;
    std::vector<REGHANDLE> handles_;  // guarded by mutex_
    REGHANDLE last_ = 0;              // likewise
};

Registrations& registrations() {
    static auto* const registrations = new Registrations;  // never destroyed: programs write events while they exit
    return *registrations;
}

thread_local GUID activity{};

}  // namespace

ULONG EventRegister(LPCGUID ProviderId, PENABLECALLBACK, PVOID, PREGHANDLE RegHandle) {
    if (ProviderId == nullptr || RegHandle == nullptr) return ERROR_INVALID_PARAMETER;
    *RegHandle = registrations().add();
    return *RegHandle != 0 ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

ULONG EventUnregister(REGHANDLE RegHandle) {
    return registrations().remove(RegHandle) ? ERROR_SUCCESS : ERROR_INVALID_HANDLE;
}

ULONG EventWrite(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor, ULONG UserDataCount,
                 PEVENT_DATA_DESCRIPTOR UserData) {
    return EventWriteTransfer(RegHandle, EventDescriptor, nullptr, nullptr, UserDataCount, UserData);
}

ULONG EventWriteTransfer(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor, LPCGUID, LPCGUID, ULONG UserDataCount,
                         PEVENT_DATA_DESCRIPTOR UserData) {
    if (EventDescriptor == nullptr || UserDataCount > MAX_EVENT_DATA_DESCRIPTORS ||
        (UserDataCount != 0 && UserData == nullptr))
        return ERROR_INVALID_PARAMETER;
    return registrations().has(RegHandle) ? ERROR_SUCCESS : ERROR_INVALID_HANDLE;
}

ULONG EventWriteString(REGHANDLE RegHandle, UCHAR, ULONGLONG, PCWSTR String) {
    if (String == nullptr) return ERROR_INVALID_PARAMETER;
    return registrations().has(RegHandle) ? ERROR_SUCCESS : ERROR_INVALID_HANDLE;
}

BOOLEAN EventEnabled(REGHANDLE, PCEVENT_DESCRIPTOR) { return FALSE; }

BOOLEAN EventProviderEnabled(REGHANDLE, UCHAR, ULONGLONG) { return FALSE; }

ULONG EventActivityIdControl(ULONG ControlCode, LPGUID ActivityId) {
    if (ActivityId == nullptr) return ERROR_INVALID_PARAMETER;
    switch (ControlCode) {
        case EVENT_ACTIVITY_CTRL_GET_ID: *ActivityId = activity; return ERROR_SUCCESS;
        case EVENT_ACTIVITY_CTRL_SET_ID: activity = *ActivityId; return ERROR_SUCCESS;
        case EVENT_ACTIVITY_CTRL_CREATE_ID: UuidCreate(ActivityId); return ERROR_SUCCESS;
        case EVENT_ACTIVITY_CTRL_GET_SET_ID: std::swap(activity, *ActivityId); return ERROR_SUCCESS;
        case EVENT_ACTIVITY_CTRL_CREATE_SET_ID:
            *ActivityId = activity;
            UuidCreate(&activity);
            return ERROR_SUCCESS;
        default: return ERROR_INVALID_PARAMETER;
    }
}
