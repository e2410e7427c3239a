/* SPDX-License-Identifier: MIT
 *
 * printing.h: printf and its kin with Windows' formats.
 *
 * Formats are read as Windows reads them: %ld and %lu take 32 bits, %I64d 64, %Id the size of a pointer; %s in a wide
 * format takes wide text and %S narrow text, in a narrow format the other way round; %p is 16 digits. Wide text is
 * written as UTF-8, to streams always by bytes, so that wprintf and printf may share a stream. %n is refused.
 *
 * The names are macros with arguments: files that do not include these headers keep the system's functions, and (printf)
 * in parentheses is the system's in any file. A function of a class of one of these names has to be declared and called
 * on the same side of this header.
 */
#ifndef OPENND_WINDOWS_PRINTING_H
#define OPENND_WINDOWS_PRINTING_H

#ifdef __cplusplus
#include "standard_headers.h"
#endif
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <wchar.h>

#include "conventions.h"

/* Cut to fit, where a count is asked for. */
#define _TRUNCATE ((size_t)-1)

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- to a stream: how many characters, or -1 --------------------------------------------------------------------- */

int __cdecl opennd_printf(const char* format, ...);
int __cdecl opennd_fprintf(FILE* stream, const char* format, ...);
int __cdecl opennd_vprintf(const char* format, va_list arguments);
int __cdecl opennd_vfprintf(FILE* stream, const char* format, va_list arguments);
int __cdecl opennd_wprintf(const wchar_t* format, ...);
int __cdecl opennd_fwprintf(FILE* stream, const wchar_t* format, ...);
int __cdecl opennd_vwprintf(const wchar_t* format, va_list arguments);
int __cdecl opennd_vfwprintf(FILE* stream, const wchar_t* format, va_list arguments);

/* Text as it is. 0, or WEOF. */
int __cdecl opennd_fputws(const wchar_t* text, FILE* stream);
int __cdecl _putws(const wchar_t* text);

/* Reads one line of UTF-8, of at most count - 1 characters. buffer; NULL: nothing is left. */
wchar_t* __cdecl opennd_fgetws(wchar_t* buffer, int count, FILE* stream);

/* ---- to memory --------------------------------------------------------------------------------------------------- */

/* Prints into `buffer` as C has it: always terminated; how many characters the whole text has. */
int __cdecl opennd_snprintf(char* buffer, size_t count, const char* format, ...);
int __cdecl opennd_vsnprintf(char* buffer, size_t count, const char* format, va_list arguments);
/* The room must be known to suffice. */
int __cdecl opennd_sprintf(char* buffer, const char* format, ...);
int __cdecl opennd_vsprintf(char* buffer, const char* format, va_list arguments);
/* -1: it does not fit, and is cut. */
int __cdecl opennd_swprintf(wchar_t* buffer, size_t count, const wchar_t* format, ...);
int __cdecl opennd_vswprintf(wchar_t* buffer, size_t count, const wchar_t* format, va_list arguments);

/* Fills all of count; -1: it does not fit. Terminated only if there is room. */
int __cdecl _snprintf(char* buffer, size_t count, const char* format, ...);
int __cdecl _vsnprintf(char* buffer, size_t count, const char* format, va_list arguments);
int __cdecl _snwprintf(wchar_t* buffer, size_t count, const wchar_t* format, ...);
int __cdecl _vsnwprintf(wchar_t* buffer, size_t count, const wchar_t* format, va_list arguments);

/* -1 and errno ERANGE: it does not fit, and the text is empty. */
int __cdecl sprintf_s(char* buffer, size_t size, const char* format, ...);
int __cdecl vsprintf_s(char* buffer, size_t size, const char* format, va_list arguments);
int __cdecl swprintf_s(wchar_t* buffer, size_t size, const wchar_t* format, ...);
int __cdecl vswprintf_s(wchar_t* buffer, size_t size, const wchar_t* format, va_list arguments);

/* At most count characters of the text, always terminated; -1: more were there. Without _TRUNCATE size must suffice for
 * count, or it is as with sprintf_s. */
int __cdecl _snprintf_s(char* buffer, size_t size, size_t count, const char* format, ...);
int __cdecl _vsnprintf_s(char* buffer, size_t size, size_t count, const char* format, va_list arguments);
int __cdecl _snwprintf_s(wchar_t* buffer, size_t size, size_t count, const wchar_t* format, ...);
int __cdecl _vsnwprintf_s(wchar_t* buffer, size_t size, size_t count, const wchar_t* format, va_list arguments);

/* At most 1,023 characters and the terminator: how many were stored. */
int __cdecl wsprintfA(char* buffer, const char* format, ...);
int __cdecl wsprintfW(wchar_t* buffer, const wchar_t* format, ...);
int __cdecl wvsprintfA(char* buffer, const char* format, va_list arguments);
int __cdecl wvsprintfW(wchar_t* buffer, const wchar_t* format, va_list arguments);
#ifdef UNICODE
#define wsprintf  wsprintfW
#define wvsprintf wvsprintfW
#else
#define wsprintf  wsprintfA
#define wvsprintf wvsprintfA
#endif

/* How many characters the text has. */
int __cdecl _scprintf(const char* format, ...);
int __cdecl _vscprintf(const char* format, va_list arguments);
int __cdecl _scwprintf(const wchar_t* format, ...);
int __cdecl _vscwprintf(const wchar_t* format, va_list arguments);

/* Reads values out of text. %s, %c and %[ take the buffer and then its size in characters, unsigned; %ld takes a LONG*,
 * %I64d a pointer to 64 bits. How many values were read, or EOF. */
int __cdecl sscanf_s(const char* text, const char* format, ...);

#pragma GCC visibility pop
#ifdef __cplusplus
}

/* The forms that know the size of an array. */
template <size_t Size>
int sprintf_s(char (&buffer)[Size], const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsprintf_s(buffer, Size, format, arguments);
    va_end(arguments);
    return length;
}

template <size_t Size>
int swprintf_s(wchar_t (&buffer)[Size], const wchar_t* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vswprintf_s(buffer, Size, format, arguments);
    va_end(arguments);
    return length;
}

template <size_t Size>
int _snprintf_s(char (&buffer)[Size], size_t count, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = _vsnprintf_s(buffer, Size, count, format, arguments);
    va_end(arguments);
    return length;
}

/* std::printf is meant as well. */
namespace std {
using ::opennd_fgetws;
using ::opennd_fprintf;
using ::opennd_fputws;
using ::opennd_fwprintf;
using ::opennd_printf;
using ::opennd_snprintf;
using ::opennd_sprintf;
using ::opennd_swprintf;
using ::opennd_vfprintf;
using ::opennd_vfwprintf;
using ::opennd_vprintf;
using ::opennd_vsnprintf;
using ::opennd_vsprintf;
using ::opennd_vswprintf;
using ::opennd_vwprintf;
using ::opennd_wprintf;
}  // namespace std
#endif

/* Defined by OpenND's own sources, which mean the system's functions. */
#ifndef OPENND_SYSTEM_PRINTF
#undef fgetws
#undef fprintf
#undef fputws
#undef fwprintf
#undef printf
#undef snprintf
#undef sprintf
#undef swprintf
#undef vfprintf
#undef vfwprintf
#undef vprintf
#undef vsnprintf
#undef vsprintf
#undef vswprintf
#undef vwprintf
#undef wprintf
#define fgetws(...)    opennd_fgetws(__VA_ARGS__)
#define fprintf(...)   opennd_fprintf(__VA_ARGS__)
#define fputws(...)    opennd_fputws(__VA_ARGS__)
#define fwprintf(...)  opennd_fwprintf(__VA_ARGS__)
#define printf(...)    opennd_printf(__VA_ARGS__)
#define snprintf(...)  opennd_snprintf(__VA_ARGS__)
#define sprintf(...)   opennd_sprintf(__VA_ARGS__)
#define swprintf(...)  opennd_swprintf(__VA_ARGS__)
#define vfprintf(...)  opennd_vfprintf(__VA_ARGS__)
#define vfwprintf(...) opennd_vfwprintf(__VA_ARGS__)
#define vprintf(...)   opennd_vprintf(__VA_ARGS__)
#define vsnprintf(...) opennd_vsnprintf(__VA_ARGS__)
#define vsprintf(...)  opennd_vsprintf(__VA_ARGS__)
#define vswprintf(...) opennd_vswprintf(__VA_ARGS__)
#define vwprintf(...)  opennd_vwprintf(__VA_ARGS__)
#define wprintf(...)   opennd_wprintf(__VA_ARGS__)
#endif

#endif
