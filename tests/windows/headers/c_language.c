/* SPDX-License-Identifier: MIT
 * The differences in C: interfaces by lpVtbl, macros instead of templates; and a thread, a port and text on the way. */
#include "c_language.h"

#include "windows_headers.h"

#define CHECK(condition) \
    if (!(condition)) return __LINE__

static DWORD WINAPI count_up(LPVOID parameter) {
    LONG* const count = parameter;
    return (DWORD)InterlockedIncrement(count);
}

static int atomics(void) {
    volatile LONG number = 5;
    LONG64 wide = 1;
    unsigned long plain = 2;
    PVOID pointer = NULL;
    CHECK(InterlockedIncrement(&number) == 6 && InterlockedDecrement(&number) == 5);
    CHECK(InterlockedExchange(&number, 9) == 5 && InterlockedExchangeAdd(&number, 1) == 9);
    CHECK(InterlockedCompareExchange(&number, 1, 10) == 10 && number == 1);
    CHECK(InterlockedAdd64(&wide, 2) == 3 && InterlockedCompareExchange64(&wide, 7, 3) == 3 && wide == 7);
    CHECK(InterlockedOr(&plain, 1) == 2 && InterlockedAnd(&plain, 1) == 3 && InterlockedXor(&plain, 1) == 1);
    CHECK(InterlockedExchangePointer(&pointer, &wide) == NULL);
    CHECK(InterlockedCompareExchangePointer(&pointer, NULL, &wide) == &wide);
    return 0;
}

static int threads(void) {
    LONG count = 0;
    DWORD code = 0;
    HANDLE thread = CreateThread(NULL, 0, count_up, &count, 0, NULL);
    CHECK(thread != NULL && WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0);
    CHECK(GetExitCodeThread(thread, &code) && code == 1 && count == 1);
    CHECK(CloseHandle(thread));
    return 0;
}

static int ports(void) {
    OVERLAPPED overlapped = {0};
    LPOVERLAPPED taken = NULL;
    ULONG_PTR key = 0;
    DWORD bytes = 0;
    HANDLE port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, 0);
    CHECK(PostQueuedCompletionStatus(port, 3, 4, &overlapped));
    CHECK(GetQueuedCompletionStatus(port, &bytes, &key, &taken, INFINITE) == TRUE);
    CHECK(bytes == 3 && key == 4 && taken == &overlapped);
    CHECK(CloseHandle(port));
    return 0;
}

static int text(void) {
    char buffer[16];
    wchar_t wide[16];
    TCHAR own[] = _T("own");
    CHECK(sprintf_s(buffer, sizeof buffer, "%S %lu", L"a", (DWORD)7) == 3 && _stricmp(buffer, "A 7") == 0);
    CHECK(swprintf_s(wide, ARRAYSIZE(wide), L"%s", L"b") == 1 && _wcsicmp(wide, L"B") == 0);
    CHECK(strcpy_s(buffer, sizeof buffer, "c") == 0 && buffer[0] == 'c');
    CHECK(_tcslen(own) == 3 && min(3u, (SIZE_T)4) == 3 && max(3, 4) == 4);
    return 0;
}

/* Identifiers are pointers, methods are called through the table. */
static int interfaces(void) {
    IClassFactory* factory = NULL;
    IUnknown* unknown = NULL;
    CHECK(DllGetClassObject(&CLSID_OpenNDProvider, &IID_IClassFactory, (void**)&factory) == S_OK);
    CHECK(factory->lpVtbl->QueryInterface(factory, &IID_IUnknown, (void**)&unknown) == S_OK);
    CHECK(unknown->lpVtbl->Release(unknown) != 0 || unknown != NULL);
    factory->lpVtbl->Release(factory);
    CHECK(IsEqualGUID(&GUID_NULL, &GUID_NULL) && !IsEqualIID(&IID_IUnknown, &IID_IClassFactory));
    CHECK(FIELD_OFFSET(SOCKET_ADDRESS_LIST, Address[2]) == 40);
    return 0;
}

int run_c_program(void) {
    int (*const parts[])(void) = {atomics, threads, ports, text, interfaces};
    for (SIZE_T i = 0; i < ARRAYSIZE(parts); ++i) {
        const int line = parts[i]();
        if (line != 0) return line;
    }
    return 0;
}
