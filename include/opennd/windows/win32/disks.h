/* SPDX-License-Identifier: MIT
 *
 * disks.h: the room on a file system.
 */
#ifndef OPENND_WINDOWS_DISKS_H
#define OPENND_WINDOWS_DISKS_H

#include "errors.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The bytes of the file system that a folder is on: free for this user; all; free, those kept for the administrator
 * too. A NULL pointer: not wanted. lpDirectoryName NULL: the file system of the current folder. TRUE; FALSE:
 * ERROR_PATH_NOT_FOUND: there is no such folder; ERROR_DIRECTORY: not a folder; ERROR_ACCESS_DENIED. */
BOOL WINAPI GetDiskFreeSpaceExA(LPCSTR lpDirectoryName, PULARGE_INTEGER lpFreeBytesAvailableToCaller,
                                PULARGE_INTEGER lpTotalNumberOfBytes, PULARGE_INTEGER lpTotalNumberOfFreeBytes);
BOOL WINAPI GetDiskFreeSpaceExW(LPCWSTR lpDirectoryName, PULARGE_INTEGER lpFreeBytesAvailableToCaller,
                                PULARGE_INTEGER lpTotalNumberOfBytes, PULARGE_INTEGER lpTotalNumberOfFreeBytes);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define GetDiskFreeSpaceEx GetDiskFreeSpaceExW
#else
#define GetDiskFreeSpaceEx GetDiskFreeSpaceExA
#endif

#endif
