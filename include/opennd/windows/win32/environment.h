/* SPDX-License-Identifier: MIT
 *
 * environment.h: environment variables (spec section 6.9). Those of the process, so that getenv sees the same.
 */
#ifndef OPENND_WINDOWS_ENVIRONMENT_H
#define OPENND_WINDOWS_ENVIRONMENT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The length of the value; or, if it does not fit with its terminator, the room needed, and the buffer is untouched; 0 and
 * ERROR_ENVVAR_NOT_FOUND. nSize is in characters. */
DWORD WINAPI GetEnvironmentVariableA(LPCSTR lpName, LPSTR lpBuffer, DWORD nSize);
DWORD WINAPI GetEnvironmentVariableW(LPCWSTR lpName, LPWSTR lpBuffer, DWORD nSize);

/* lpValue NULL removes the variable. TRUE; FALSE and ERROR_INVALID_PARAMETER: no such name can be. */
BOOL WINAPI SetEnvironmentVariableA(LPCSTR lpName, LPCSTR lpValue);
BOOL WINAPI SetEnvironmentVariableW(LPCWSTR lpName, LPCWSTR lpValue);

/* Copies text in which each %NAME% gives way to the variable's value; of a variable that there is not it stays. The room
 * needed with the terminator; if that is more than nSize, in characters, the buffer is untouched. 0 and
 * ERROR_INVALID_PARAMETER. */
DWORD WINAPI ExpandEnvironmentStringsA(LPCSTR lpSrc, LPSTR lpDst, DWORD nSize);
DWORD WINAPI ExpandEnvironmentStringsW(LPCWSTR lpSrc, LPWSTR lpDst, DWORD nSize);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define GetEnvironmentVariable   GetEnvironmentVariableW
#define SetEnvironmentVariable   SetEnvironmentVariableW
#define ExpandEnvironmentStrings ExpandEnvironmentStringsW
#else
#define GetEnvironmentVariable   GetEnvironmentVariableA
#define SetEnvironmentVariable   SetEnvironmentVariableA
#define ExpandEnvironmentStrings ExpandEnvironmentStringsA
#endif

#endif
