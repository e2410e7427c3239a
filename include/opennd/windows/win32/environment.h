/* SPDX-License-Identifier: MIT
 *
 * environment.h: environment variables. Those of the process, so that getenv sees the same.
 */
#ifndef OPENND_WINDOWS_ENVIRONMENT_H
#define OPENND_WINDOWS_ENVIRONMENT_H

#include "text.h"
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

/* Copies a variable's value; of the C library. *needed becomes the room that the value and its end take, 0 of a variable that
 * there is not; buffer is then an empty text. 0, also where size is 0, which asks for the room; EINVAL: a NULL pointer, but for
 * buffer with size 0; ERANGE: no room, and buffer is an empty text. */
errno_t __cdecl getenv_s(size_t* needed, char* buffer, size_t size, const char* name);
errno_t __cdecl _wgetenv_s(size_t* needed, wchar_t* buffer, size_t size, const wchar_t* name);

#pragma GCC visibility pop
#ifdef __cplusplus
}

/* The forms that know the size of an array. */
template <size_t Size>
errno_t getenv_s(size_t* needed, char (&buffer)[Size], const char* name) {
    return getenv_s(needed, buffer, Size, name);
}
template <size_t Size>
errno_t _wgetenv_s(size_t* needed, wchar_t (&buffer)[Size], const wchar_t* name) {
    return _wgetenv_s(needed, buffer, Size, name);
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
