/* SPDX-License-Identifier: MIT
 *
 * evntprov.h: providers of trace events. Nothing listens to them here, which is how it is on Windows while
 * nobody traces: providers register, are told that no event is enabled, and events that they write all the same are
 * checked and go nowhere.
 */
#ifndef OPENND_WINDOWS_EVNTPROV_H
#define OPENND_WINDOWS_EVNTPROV_H

#include "guiddef.h"
#include "win32/types.h"

#define EVNTAPI WINAPI

typedef ULONGLONG REGHANDLE, *PREGHANDLE;

typedef struct _EVENT_DESCRIPTOR {
    USHORT Id;
    UCHAR Version;
    UCHAR Channel;
    UCHAR Level;
    UCHAR Opcode;
    USHORT Task;
    ULONGLONG Keyword;
} EVENT_DESCRIPTOR, *PEVENT_DESCRIPTOR;
typedef const EVENT_DESCRIPTOR* PCEVENT_DESCRIPTOR;
OPENND_ASSERT_SIZE(EVENT_DESCRIPTOR, 16, 8);

/* One piece of an event's data. */
typedef struct _EVENT_DATA_DESCRIPTOR {
    ULONGLONG Ptr;
    ULONG Size; /* bytes */
    ULONG Reserved;
} EVENT_DATA_DESCRIPTOR, *PEVENT_DATA_DESCRIPTOR;
OPENND_ASSERT_SIZE(EVENT_DATA_DESCRIPTOR, 16, 8);

typedef struct _EVENT_FILTER_DESCRIPTOR {
    ULONGLONG Ptr;
    ULONG Size;
    ULONG Type;
} EVENT_FILTER_DESCRIPTOR, *PEVENT_FILTER_DESCRIPTOR;

/* Called when somebody begins to listen, which never happens. */
typedef VOID(NTAPI* PENABLECALLBACK)(LPCGUID SourceId, ULONG IsEnabled, UCHAR Level, ULONGLONG MatchAnyKeyword,
                                     ULONGLONG MatchAllKeyword, PEVENT_FILTER_DESCRIPTOR FilterData,
                                     PVOID CallbackContext);

#define MAX_EVENT_DATA_DESCRIPTORS 128

#define EVENT_ACTIVITY_CTRL_GET_ID        1
#define EVENT_ACTIVITY_CTRL_SET_ID        2
#define EVENT_ACTIVITY_CTRL_CREATE_ID     3
#define EVENT_ACTIVITY_CTRL_GET_SET_ID    4
#define EVENT_ACTIVITY_CTRL_CREATE_SET_ID 5

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Each returns its code. ERROR_SUCCESS; ERROR_INVALID_PARAMETER: a NULL pointer, or too many pieces; ERROR_INVALID_HANDLE: not
 * registered; ERROR_NOT_ENOUGH_MEMORY. */
ULONG WINAPI EventRegister(LPCGUID ProviderId, PENABLECALLBACK EnableCallback, PVOID CallbackContext,
                           PREGHANDLE RegHandle);
ULONG WINAPI EventUnregister(REGHANDLE RegHandle);
ULONG WINAPI EventWrite(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor, ULONG UserDataCount,
                        PEVENT_DATA_DESCRIPTOR UserData);
ULONG WINAPI EventWriteTransfer(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor, LPCGUID ActivityId,
                                LPCGUID RelatedActivityId, ULONG UserDataCount, PEVENT_DATA_DESCRIPTOR UserData);
ULONG WINAPI EventWriteString(REGHANDLE RegHandle, UCHAR Level, ULONGLONG Keyword, PCWSTR String);

/* FALSE: nobody listens. */
BOOLEAN WINAPI EventEnabled(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor);
BOOLEAN WINAPI EventProviderEnabled(REGHANDLE RegHandle, UCHAR Level, ULONGLONG Keyword);

/* The identifier that the calling thread's events carry: gives it, sets it, makes one, or gives it and sets another. */
ULONG WINAPI EventActivityIdControl(ULONG ControlCode, LPGUID ActivityId);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

static __inline VOID EventDataDescCreate(PEVENT_DATA_DESCRIPTOR EventDataDescriptor, const VOID* DataPtr,
                                         ULONG DataSize) {
    EventDataDescriptor->Ptr = (ULONGLONG)(ULONG_PTR)DataPtr;
    EventDataDescriptor->Size = DataSize;
    EventDataDescriptor->Reserved = 0;
}

static __inline VOID EventDescCreate(PEVENT_DESCRIPTOR EventDescriptor, USHORT Id, UCHAR Version, UCHAR Channel,
                                     UCHAR Level, USHORT Task, UCHAR Opcode, ULONGLONG Keyword) {
    EventDescriptor->Id = Id;
    EventDescriptor->Version = Version;
    EventDescriptor->Channel = Channel;
    EventDescriptor->Level = Level;
    EventDescriptor->Task = Task;
    EventDescriptor->Opcode = Opcode;
    EventDescriptor->Keyword = Keyword;
}

#endif
