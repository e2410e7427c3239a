// SPDX-License-Identifier: MIT
// GetDiskFreeSpaceEx, by statvfs.
#include "win32/disks.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <new>
#include <string>

#include "windows/last_error.h"
#include "windows/text/either_width.h"

using namespace opennd::windows;

namespace {

void store(PULARGE_INTEGER place, ULONGLONG bytes) {
    if (place != nullptr) place->QuadPart = bytes;
}

BOOL ask(const std::string& folder, PULARGE_INTEGER available, PULARGE_INTEGER all, PULARGE_INTEGER free) {
    struct stat status;
    struct statvfs disk;
    if (stat(folder.c_str(), &status) != 0 || (S_ISDIR(status.st_mode) && statvfs(folder.c_str(), &disk) != 0))
        return fail(errno == ENOENT ? DWORD{ERROR_PATH_NOT_FOUND} : win32_error_of_errno(errno), FALSE);
    if (!S_ISDIR(status.st_mode)) return fail(ERROR_DIRECTORY, FALSE);
    store(available, ULONGLONG{disk.f_bavail} * disk.f_frsize);
    store(all, ULONGLONG{disk.f_blocks} * disk.f_frsize);
    store(free, ULONGLONG{disk.f_bfree} * disk.f_frsize);
    return TRUE;
}

// Either width.
template <typename Char>
BOOL ask_by_name(const Char* folder, PULARGE_INTEGER available, PULARGE_INTEGER all, PULARGE_INTEGER free) try {
    return ask(folder != nullptr ? utf8_of(folder) : ".", available, all, free);
} catch (const std::bad_alloc&) {
    return fail(ERROR_NOT_ENOUGH_MEMORY, FALSE);
}

}  // namespace

BOOL GetDiskFreeSpaceExA(LPCSTR lpDirectoryName, PULARGE_INTEGER lpFreeBytesAvailableToCaller,
                         PULARGE_INTEGER lpTotalNumberOfBytes, PULARGE_INTEGER lpTotalNumberOfFreeBytes) {
    return ask_by_name(lpDirectoryName, lpFreeBytesAvailableToCaller, lpTotalNumberOfBytes, lpTotalNumberOfFreeBytes);
}

BOOL GetDiskFreeSpaceExW(LPCWSTR lpDirectoryName, PULARGE_INTEGER lpFreeBytesAvailableToCaller,
                         PULARGE_INTEGER lpTotalNumberOfBytes, PULARGE_INTEGER lpTotalNumberOfFreeBytes) {
    return ask_by_name(lpDirectoryName, lpFreeBytesAvailableToCaller, lpTotalNumberOfBytes, lpTotalNumberOfFreeBytes);
}
