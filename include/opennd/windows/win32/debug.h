/* SPDX-License-Identifier: MIT
 *
 * debug.h: talking to a debugger, and stopping for one.
 */
#ifndef OPENND_WINDOWS_DEBUG_H
#define OPENND_WINDOWS_DEBUG_H

#include "types.h"

#define DebugBreak() __builtin_trap()

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Writes the text to standard error if a debugger is attached, otherwise nothing. */
VOID WINAPI OutputDebugStringA(LPCSTR lpOutputString);
VOID WINAPI OutputDebugStringW(LPCWSTR lpOutputString);

/* TRUE: a debugger is attached to this process. */
BOOL WINAPI IsDebuggerPresent(VOID);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define OutputDebugString OutputDebugStringW
#else
#define OutputDebugString OutputDebugStringA
#endif

#endif
