/* SPDX-License-Identifier: MIT
 *
 * text.h: functions on text of Windows' C library: comparing without case, copying with a limit, numbers.
 */
#ifndef OPENND_WINDOWS_TEXT_H
#define OPENND_WINDOWS_TEXT_H

#ifdef __cplusplus
#include "standard_headers.h"
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include "aligned_memory.h"
#include "conventions.h"

typedef int errno_t;

#ifndef _TRUNCATE
#define _TRUNCATE ((size_t)-1)
#endif

/* Negative, 0 or positive; without case. */
#define _stricmp(one, other)         strcasecmp((one), (other))
#define _strnicmp(one, other, count) strncasecmp((one), (other), (count))
#define _wcsicmp(one, other)         wcscasecmp((one), (other))
#define _wcsnicmp(one, other, count) wcsncasecmp((one), (other), (count))

/* The caller frees the copy with free. */
#define _strdup(text) strdup(text)
#define _wcsdup(text) wcsdup(text)

#define strtok_s(text, separators, context) strtok_r((text), (separators), (context))
#define wcstok_s(text, separators, context) wcstok((text), (separators), (context))

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- copying with a limit ---------------------------------------------------------------------------------------- */

/* The room is given in characters. 0; EINVAL: a NULL pointer, or no room; ERANGE: it does not fit. Both leave an empty
 * text. With _TRUNCATE for count the text is cut to fit instead: STRUNCATE. */
#define STRUNCATE 80
errno_t __cdecl strcpy_s(char* destination, size_t size, const char* source);
errno_t __cdecl strcat_s(char* destination, size_t size, const char* source);
errno_t __cdecl strncpy_s(char* destination, size_t size, const char* source, size_t count);
errno_t __cdecl strncat_s(char* destination, size_t size, const char* source, size_t count);
errno_t __cdecl wcscpy_s(wchar_t* destination, size_t size, const wchar_t* source);
errno_t __cdecl wcscat_s(wchar_t* destination, size_t size, const wchar_t* source);
errno_t __cdecl wcsncpy_s(wchar_t* destination, size_t size, const wchar_t* source, size_t count);
errno_t __cdecl wcsncat_s(wchar_t* destination, size_t size, const wchar_t* source, size_t count);

/* In bytes. EINVAL, ERANGE: the destination is zeroed. */
errno_t __cdecl memcpy_s(void* destination, size_t size, const void* source, size_t count);

/* ---- the system's own, beside the C library's --------------------------------------------------------------------- */

/* In characters; 0 for NULL. */
int __cdecl lstrlenA(const char* text);
int __cdecl lstrlenW(const wchar_t* text);

/* Negative, 0 or positive, by the characters' values; with i without case. NULL comes before every text. */
int __cdecl lstrcmpA(const char* one, const char* other);
int __cdecl lstrcmpW(const wchar_t* one, const wchar_t* other);
int __cdecl lstrcmpiA(const char* one, const char* other);
int __cdecl lstrcmpiW(const wchar_t* one, const wchar_t* other);

#ifdef UNICODE
#define lstrlen  lstrlenW
#define lstrcmp  lstrcmpW
#define lstrcmpi lstrcmpiW
#else
#define lstrlen  lstrlenA
#define lstrcmp  lstrcmpA
#define lstrcmpi lstrcmpiA
#endif

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Numbers of wide text, as atoi. A number beyond 32 bits becomes the nearest one within. */
int __cdecl _wtoi(const wchar_t* text);
int __cdecl _wtol(const wchar_t* text);
__int64 __cdecl _wtoi64(const wchar_t* text);
__int64 __cdecl _atoi64(const char* text);

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* fopen and freopen with a wide path. Options of Windows in the mode (t, and any after a comma) have no effect. NULL
 * and errno. */
FILE* __cdecl _wfopen(const wchar_t* path, const wchar_t* mode);
FILE* __cdecl _wfreopen(const wchar_t* path, const wchar_t* mode, FILE* stream);

/* *stream is NULL on failure. 0, or errno. */
errno_t __cdecl fopen_s(FILE** stream, const char* path, const char* mode);
errno_t __cdecl _wfopen_s(FILE** stream, const wchar_t* path, const wchar_t* mode);

/* Flushes every stream. Here they stay open, to the end of the process: the system does not tell which there are. 0, or
 * EOF. */
int __cdecl _fcloseall(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}

/* The forms that know the size of an array. */
template <size_t Size>
errno_t strcpy_s(char (&destination)[Size], const char* source) {
    return strcpy_s(destination, Size, source);
}
template <size_t Size>
errno_t strcat_s(char (&destination)[Size], const char* source) {
    return strcat_s(destination, Size, source);
}
template <size_t Size>
errno_t strncpy_s(char (&destination)[Size], const char* source, size_t count) {
    return strncpy_s(destination, Size, source, count);
}
template <size_t Size>
errno_t strncat_s(char (&destination)[Size], const char* source, size_t count) {
    return strncat_s(destination, Size, source, count);
}
template <size_t Size>
errno_t wcscpy_s(wchar_t (&destination)[Size], const wchar_t* source) {
    return wcscpy_s(destination, Size, source);
}
template <size_t Size>
errno_t wcscat_s(wchar_t (&destination)[Size], const wchar_t* source) {
    return wcscat_s(destination, Size, source);
}
template <size_t Size>
errno_t wcsncpy_s(wchar_t (&destination)[Size], const wchar_t* source, size_t count) {
    return wcsncpy_s(destination, Size, source, count);
}
#endif

#define _alloca(bytes) __builtin_alloca(bytes)

#endif
