/* SPDX-License-Identifier: MIT
 *
 * handles.h: closing and copying handles. The two lowest bits of a handle are ignored everywhere.
 */
#ifndef OPENND_WINDOWS_HANDLES_H
#define OPENND_WINDOWS_HANDLES_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Closes a handle of any kind. Its object goes on while something else uses it: a thread runs on, requests in
 * progress complete (ND2-FILE-02, ND2-OVL-06). TRUE; FALSE and ERROR_INVALID_HANDLE: unknown, or closed already. */
BOOL WINAPI CloseHandle(HANDLE hObject);

/* A value that stands for this process where a function asks for one; not to be closed. */
HANDLE WINAPI GetCurrentProcess(VOID);
DWORD WINAPI GetCurrentProcessId(VOID);

#define DUPLICATE_CLOSE_SOURCE 0x1
#define DUPLICATE_SAME_ACCESS  0x2

/* Makes a second handle for the same object, within the process. dwDesiredAccess and bInheritHandle have no effect. The
 * caller owns *lpTargetHandle. TRUE; FALSE. ERROR_INVALID_HANDLE: unknown handle, or another process;
 * ERROR_INVALID_PARAMETER: lpTargetHandle is NULL, or an unknown option. */
BOOL WINAPI DuplicateHandle(HANDLE hSourceProcessHandle, HANDLE hSourceHandle, HANDLE hTargetProcessHandle,
                            LPHANDLE lpTargetHandle, DWORD dwDesiredAccess, BOOL bInheritHandle, DWORD dwOptions);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
