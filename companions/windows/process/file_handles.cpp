// SPDX-License-Identifier: MIT
// CreateFile, ReadFile, WriteFile, and a handle's facts about its file.
#include "win32/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "opennd.h"
#include "windows/last_error.h"
#include "windows/process/file.h"
#include "windows/text/either_width.h"

namespace opennd::windows {
namespace {

constexpr DWORD kKnownFlags = FILE_ATTRIBUTE_READONLY | FILE_ATTRIBUTE_NORMAL | FILE_FLAG_SEQUENTIAL_SCAN |
                              FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OVERLAPPED;

// -1: not a disposition.
int open_flags(DWORD access, DWORD disposition) {
    const bool writes = (access & GENERIC_WRITE) != 0;
    const bool reads = (access & GENERIC_READ) != 0;
    const int mode = O_CLOEXEC | (writes ? (reads ? O_RDWR : O_WRONLY) : O_RDONLY);
    switch (disposition) {
        case CREATE_NEW: return mode | O_CREAT | O_EXCL;
        case CREATE_ALWAYS: return mode | O_CREAT | O_TRUNC;
        case OPEN_EXISTING: return mode;
        case OPEN_ALWAYS: return mode | O_CREAT;
        case TRUNCATE_EXISTING: return writes ? mode | O_TRUNC : -1;
        default: return -1;
    }
}

// Throws std::bad_alloc.
HANDLE open_file(const std::string& name, DWORD access, DWORD disposition, DWORD flags, HANDLE model) {
    const int how = open_flags(access, disposition);
    if (name.empty() || how < 0 || model != nullptr || (flags & ~kKnownFlags) != 0)
        return fail(ERROR_INVALID_PARAMETER, INVALID_HANDLE_VALUE);
    const bool was_there = ::access(name.c_str(), F_OK) == 0;
    auto file = std::make_shared<File>((flags & FILE_FLAG_OVERLAPPED) != 0);
    if (!file->open(name, how)) return fail(win32_error_of_errno(errno), INVALID_HANDLE_VALUE);
    HANDLE const handle = open_companion(std::move(file));
    if (handle == nullptr) return INVALID_HANDLE_VALUE;
    if (disposition == CREATE_ALWAYS || disposition == OPEN_ALWAYS)
        SetLastError(was_there ? ERROR_ALREADY_EXISTS : ERROR_SUCCESS);
    return handle;
}

DWORD attributes_of(const struct stat& status) {
    return S_ISDIR(status.st_mode) ? FILE_ATTRIBUTE_DIRECTORY : FILE_ATTRIBUTE_NORMAL;
}

DWORD attributes_at(const std::string& name) {
    struct stat status;
    if (name.empty()) return fail(ERROR_INVALID_PARAMETER, INVALID_FILE_ATTRIBUTES);
    if (stat(name.c_str(), &status) != 0) return fail(win32_error_of_errno(errno), INVALID_FILE_ATTRIBUTES);
    return attributes_of(status);
}

FILETIME file_time(const timespec& time) {
    constexpr std::uint64_t kSecondsFrom1601To1970 = 11644473600u;
    const std::uint64_t units = (static_cast<std::uint64_t>(time.tv_sec) + kSecondsFrom1601To1970) * 10'000'000u +
                                static_cast<std::uint64_t>(time.tv_nsec) / 100;
    return {static_cast<DWORD>(units), static_cast<DWORD>(units >> 32)};
}

// The result of the system's read or write, in the terms of ReadFile and WriteFile.
BOOL moved(ssize_t bytes, LPDWORD count) {
    // On Windows the handle would lack the right; here the descriptor is of another mode.
    if (bytes < 0) return fail(errno == EBADF ? ERROR_ACCESS_DENIED : win32_error_of_errno(errno), FALSE);
    *count = static_cast<DWORD>(bytes);
    return TRUE;
}

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

HANDLE CreateFileA(LPCSTR lpFileName, DWORD dwDesiredAccess, DWORD, LPSECURITY_ATTRIBUTES, DWORD dwCreationDisposition,
                   DWORD dwFlagsAndAttributes, HANDLE hTemplateFile) try {
    return open_file(lpFileName ? lpFileName : "", dwDesiredAccess, dwCreationDisposition, dwFlagsAndAttributes,
                     hTemplateFile);
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, INVALID_HANDLE_VALUE);
}

HANDLE CreateFileW(LPCWSTR lpFileName, DWORD dwDesiredAccess, DWORD, LPSECURITY_ATTRIBUTES, DWORD dwCreationDisposition,
                   DWORD dwFlagsAndAttributes, HANDLE hTemplateFile) try {
    return open_file(lpFileName ? utf8_of(lpFileName) : "", dwDesiredAccess, dwCreationDisposition,
                     dwFlagsAndAttributes, hTemplateFile);
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, INVALID_HANDLE_VALUE);
}

DWORD GetFileAttributesA(LPCSTR lpFileName) { return attributes_at(lpFileName ? lpFileName : ""); }

DWORD GetFileAttributesW(LPCWSTR lpFileName) { return attributes_at(lpFileName ? utf8_of(lpFileName) : ""); }

BOOL GetFileInformationByHandle(HANDLE hFile, LPBY_HANDLE_FILE_INFORMATION lpFileInformation) {
    const auto file = find_companion<File>(hFile);
    struct stat status;
    if (!file || fstat(file->descriptor(), &status) != 0) return fail(ERROR_INVALID_HANDLE, FALSE);
    if (lpFileInformation == nullptr) return fail(ERROR_INVALID_PARAMETER, FALSE);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    *lpFileInformation = {
        .dwFileAttributes = attributes_of(status),
        .ftCreationTime = file_time(status.st_ctim),
        .ftLastAccessTime = file_time(status.st_atim),
        .ftLastWriteTime = file_time(status.st_mtim),
        .dwVolumeSerialNumber = major(status.st_dev) << 20 | minor(status.st_dev),
        .nFileSizeHigh = static_cast<DWORD>(size >> 32),
        .nFileSizeLow = static_cast<DWORD>(size),
        .nNumberOfLinks = static_cast<DWORD>(status.st_nlink),
        .nFileIndexHigh = static_cast<DWORD>(status.st_ino >> 32),
        .nFileIndexLow = static_cast<DWORD>(status.st_ino),
    };
    return TRUE;
}

BOOL GetFileSizeEx(HANDLE hFile, PLARGE_INTEGER lpFileSize) {
    BY_HANDLE_FILE_INFORMATION about;
    if (!GetFileInformationByHandle(hFile, &about)) return FALSE;
    if (lpFileSize == nullptr) return fail(ERROR_INVALID_PARAMETER, FALSE);
    lpFileSize->LowPart = about.nFileSizeLow;
    lpFileSize->HighPart = static_cast<LONG>(about.nFileSizeHigh);
    return TRUE;
}

BOOL ReadFile(HANDLE hFile, LPVOID lpBuffer, DWORD nNumberOfBytesToRead, LPDWORD lpNumberOfBytesRead,
              LPOVERLAPPED lpOverlapped) {
    const auto file = find_companion<File>(hFile);
    if (!file) return fail(ERROR_INVALID_HANDLE, FALSE);
    if (file->is_overlapped() || lpOverlapped != nullptr || lpNumberOfBytesRead == nullptr)
        return fail(ERROR_INVALID_PARAMETER, FALSE);
    return moved(read(file->descriptor(), lpBuffer, nNumberOfBytesToRead), lpNumberOfBytesRead);
}

BOOL WriteFile(HANDLE hFile, LPCVOID lpBuffer, DWORD nNumberOfBytesToWrite, LPDWORD lpNumberOfBytesWritten,
               LPOVERLAPPED lpOverlapped) {
    const auto file = find_companion<File>(hFile);
    if (!file) return fail(ERROR_INVALID_HANDLE, FALSE);
    if (file->is_overlapped() || lpOverlapped != nullptr || lpNumberOfBytesWritten == nullptr)
        return fail(ERROR_INVALID_PARAMETER, FALSE);
    return moved(write(file->descriptor(), lpBuffer, nNumberOfBytesToWrite), lpNumberOfBytesWritten);
}
