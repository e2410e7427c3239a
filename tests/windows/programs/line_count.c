/* SPDX-License-Identifier: MIT A tool of the command line in C, as it would stand in a Visual Studio project: it takes
 * its command line apart, maps a file and counts its lines, notes the time and the room on the disk, and stops for
 * Ctrl-C. */
#include <windows.h>

#include <shellapi.h>
#include <stdio.h>

static_assert(sizeof(LARGE_INTEGER) == 8, "a file's size");

static volatile LONG stopped;

static BOOL WINAPI on_control(DWORD event) {
    if (event != CTRL_C_EVENT) return FALSE;
    InterlockedExchange(&stopped, 1);
    return TRUE;
}

static UINT64 count_lines(_In_reads_bytes_(size) const char* text, SIZE_T size) {
    UINT64 lines = 0;
    for (SIZE_T i = 0; i < size && !stopped; ++i) lines += text[i] == '\n';
    return lines;
}

static HRESULT count_lines_of(LPCWSTR name, UINT64* lines) {
    LARGE_INTEGER size;
    const char* view;
    HANDLE mapping;
    HANDLE file =
        CreateFileW(name, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, FILE_FLAG_SEQUENTIAL_SCAN, NULL);
    if (file == INVALID_HANDLE_VALUE) return HRESULT_FROM_WIN32(GetLastError());
    if (!GetFileSizeEx(file, &size) || size.QuadPart == 0) {
        CloseHandle(file);
        return E_NOT_VALID_STATE;
    }
    mapping = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
    CloseHandle(file);
    if (mapping == NULL) return HRESULT_FROM_WIN32(GetLastError());
    view = (const char*)MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
    CloseHandle(mapping);
    if (view == NULL) return HRESULT_FROM_WIN32(GetLastError());
    *lines = count_lines(view, (SIZE_T)size.QuadPart);
    return UnmapViewOfFile(view) ? S_OK : E_FAIL;
}

int main(void) {
    SYSTEMTIME now;
    ULARGE_INTEGER available;
    int count = 0, i;
    LPWSTR* arguments = CommandLineToArgvW(GetCommandLineW(), &count);
    if (arguments == NULL || !SetConsoleCtrlHandler(on_control, TRUE)) return 1;
    SetPriorityClass(GetCurrentProcess(), BELOW_NORMAL_PRIORITY_CLASS);
    GetLocalTime(&now);
    if (!GetDiskFreeSpaceExW(NULL, &available, NULL, NULL)) return 2;
    printf("%04u-%02u-%02u, room: %s\n", now.wYear, now.wMonth, now.wDay, available.QuadPart > 0 ? "yes" : "no");
    for (i = 1; i < count; ++i) {
        UINT64 lines = 0;
        const HRESULT result = count_lines_of(arguments[i], &lines);
        if (SUCCEEDED(result))
            printf("%I64u lines\n", lines);
        else
            printf("%S: 0x%08X\n", arguments[i], result);
    }
    LocalFree(arguments);
    return GetPriorityClass(GetCurrentProcess()) == BELOW_NORMAL_PRIORITY_CLASS ? 0 : 3;
}
