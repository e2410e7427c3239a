/* SPDX-License-Identifier: MIT
 *
 * priority.h: the priority of the process, which is its nice value here.
 */
#ifndef OPENND_WINDOWS_PRIORITY_H
#define OPENND_WINDOWS_PRIORITY_H

#include "errors.h"
#include "types.h"

/* Nice values: 0, 19, -10, -20, 10, -5. */
#define NORMAL_PRIORITY_CLASS       0x00000020u
#define IDLE_PRIORITY_CLASS         0x00000040u
#define HIGH_PRIORITY_CLASS         0x00000080u
#define REALTIME_PRIORITY_CLASS     0x00000100u
#define BELOW_NORMAL_PRIORITY_CLASS 0x00004000u
#define ABOVE_NORMAL_PRIORITY_CLASS 0x00008000u

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Gives all threads of this process, and those that they start, the priority of a class. hProcess must be
 * GetCurrentProcess. To raise it, also back to NORMAL_PRIORITY_CLASS, the system wants a right (CAP_SYS_NICE, or
 * RLIMIT_NICE), which Windows wants for none but REALTIME_PRIORITY_CLASS. TRUE; FALSE, and all is as it was.
 * ERROR_PRIVILEGE_NOT_HELD: without that right; ERROR_INVALID_PARAMETER: not one of these classes;
 * ERROR_INVALID_HANDLE. */
BOOL WINAPI SetPriorityClass(HANDLE hProcess, DWORD dwPriorityClass);

/* The class whose nice value is the nearest to this process's. 0 and ERROR_INVALID_HANDLE: not GetCurrentProcess. */
DWORD WINAPI GetPriorityClass(HANDLE hProcess);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
