/* SPDX-License-Identifier: MIT
 *
 * strsafe.h: text that is copied, appended and printed within its room, and always ended.
 *
 * Cch: the room is in characters, Cb: in bytes. Longer text is cut, and the status says so. Formats are Windows', as
 * printing.h has them.
 */
#ifndef OPENND_WINDOWS_STRSAFE_H
#define OPENND_WINDOWS_STRSAFE_H

#include <stdarg.h>
#include <stddef.h>

#include "win32/types.h"

#define STRSAFE_MAX_CCH    2147483647 /* more room is a mistake */
#define STRSAFE_MAX_LENGTH (STRSAFE_MAX_CCH - 1)

#define STRSAFE_E_INSUFFICIENT_BUFFER ((HRESULT)0x8007007Au)
#define STRSAFE_E_INVALID_PARAMETER   ((HRESULT)0x80070057u)
#define STRSAFE_E_END_OF_FILE         ((HRESULT)0x80070026u)

/* dwFlags of the Ex forms. The lowest byte is the filler of FILL_BEHIND_NULL and FILL_ON_FAILURE. */
#define STRSAFE_IGNORE_NULLS     0x00000100 /* NULL for a text is "" */
#define STRSAFE_FILL_BEHIND_NULL 0x00000200 /* after success: the room behind the end */
#define STRSAFE_FILL_ON_FAILURE  0x00000400 /* after a failure: all the room, which is then ended */
#define STRSAFE_NULL_ON_FAILURE  0x00000800 /* after a failure: an empty text */
#define STRSAFE_NO_TRUNCATION \
    0x00001000 /* too long a text is a failure, and leaves an empty text or the previous one */

#define STRSAFE_FILL_BYTE(byte)    ((DWORD)(((byte)&0xFF) | STRSAFE_FILL_BEHIND_NULL))
#define STRSAFE_FAILURE_BYTE(byte) ((DWORD)(((byte)&0xFF) | STRSAFE_FILL_ON_FAILURE))

/* All functions: S_OK; STRSAFE_E_INSUFFICIENT_BUFFER: it was cut; STRSAFE_E_INVALID_PARAMETER: no room, or more than
 * STRSAFE_MAX_CCH characters, NULL for a text, or other flags. Ex: *end becomes the address of the text's end, *left
 * the room from there on; either may be NULL. N: at most count characters of the source. */

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

HRESULT WINAPI StringCchCopyNExA(LPSTR destination, size_t room, LPCSTR source, size_t count, LPSTR* end, size_t* left,
                                 DWORD flags);
HRESULT WINAPI StringCchCopyNExW(LPWSTR destination, size_t room, LPCWSTR source, size_t count, LPWSTR* end,
                                 size_t* left, DWORD flags);
HRESULT WINAPI StringCchCatNExA(LPSTR destination, size_t room, LPCSTR source, size_t count, LPSTR* end, size_t* left,
                                DWORD flags);
HRESULT WINAPI StringCchCatNExW(LPWSTR destination, size_t room, LPCWSTR source, size_t count, LPWSTR* end,
                                size_t* left, DWORD flags);
HRESULT WINAPI StringCchVPrintfExA(LPSTR destination, size_t room, LPSTR* end, size_t* left, DWORD flags, LPCSTR format,
                                   va_list arguments);
HRESULT WINAPI StringCchVPrintfExW(LPWSTR destination, size_t room, LPWSTR* end, size_t* left, DWORD flags,
                                   LPCWSTR format, va_list arguments);

/* The length without the end; length may be NULL. STRSAFE_E_INVALID_PARAMETER: the text does not end within its room. */
HRESULT WINAPI StringCchLengthA(LPCSTR text, size_t room, size_t* length);
HRESULT WINAPI StringCchLengthW(LPCWSTR text, size_t room, size_t* length);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* ---- the other forms, by those above ----------------------------------------------------------------------------- */

#define OPENND_STRSAFE_FORMS(W, Char)                                                                               \
    static __inline HRESULT StringCchCopyEx##W(Char* destination, size_t room, const Char* source, Char** end,      \
                                               size_t* left, DWORD flags) {                                         \
        return StringCchCopyNEx##W(destination, room, source, STRSAFE_MAX_CCH, end, left, flags);                   \
    }                                                                                                               \
    static __inline HRESULT StringCchCopy##W(Char* destination, size_t room, const Char* source) {                  \
        return StringCchCopyEx##W(destination, room, source, NULL, NULL, 0);                                        \
    }                                                                                                               \
    static __inline HRESULT StringCchCopyN##W(Char* destination, size_t room, const Char* source, size_t count) {   \
        return StringCchCopyNEx##W(destination, room, source, count, NULL, NULL, 0);                                \
    }                                                                                                               \
    static __inline HRESULT StringCchCatEx##W(Char* destination, size_t room, const Char* source, Char** end,       \
                                              size_t* left, DWORD flags) {                                          \
        return StringCchCatNEx##W(destination, room, source, STRSAFE_MAX_CCH, end, left, flags);                    \
    }                                                                                                               \
    static __inline HRESULT StringCchCat##W(Char* destination, size_t room, const Char* source) {                   \
        return StringCchCatEx##W(destination, room, source, NULL, NULL, 0);                                         \
    }                                                                                                               \
    static __inline HRESULT StringCchCatN##W(Char* destination, size_t room, const Char* source, size_t count) {    \
        return StringCchCatNEx##W(destination, room, source, count, NULL, NULL, 0);                                 \
    }                                                                                                               \
    static __inline HRESULT StringCchVPrintf##W(Char* destination, size_t room, const Char* format,                 \
                                                va_list arguments) {                                                \
        return StringCchVPrintfEx##W(destination, room, NULL, NULL, 0, format, arguments);                          \
    }                                                                                                               \
    static __inline HRESULT StringCchPrintfEx##W(Char* destination, size_t room, Char** end, size_t* left,          \
                                                 DWORD flags, const Char* format, ...) {                            \
        HRESULT status;                                                                                             \
        va_list arguments;                                                                                          \
        va_start(arguments, format);                                                                                \
        status = StringCchVPrintfEx##W(destination, room, end, left, flags, format, arguments);                     \
        va_end(arguments);                                                                                          \
        return status;                                                                                              \
    }                                                                                                               \
    static __inline HRESULT StringCchPrintf##W(Char* destination, size_t room, const Char* format, ...) {           \
        HRESULT status;                                                                                             \
        va_list arguments;                                                                                          \
        va_start(arguments, format);                                                                                \
        status = StringCchVPrintf##W(destination, room, format, arguments);                                         \
        va_end(arguments);                                                                                          \
        return status;                                                                                              \
    }                                                                                                               \
    /* In bytes; of a character that is only begun nothing is used. */                                              \
    static __inline HRESULT opennd_in_bytes##W(HRESULT status, size_t bytes, size_t* left) {                        \
        if (left != NULL && (status >= 0 || status == STRSAFE_E_INSUFFICIENT_BUFFER))                               \
            *left = *left * sizeof(Char) + bytes % sizeof(Char);                                                    \
        return status;                                                                                              \
    }                                                                                                               \
    static __inline HRESULT StringCbCopyNEx##W(Char* destination, size_t bytes, const Char* source, size_t count,   \
                                               Char** end, size_t* left, DWORD flags) {                             \
        return opennd_in_bytes##W(                                                                                  \
            StringCchCopyNEx##W(destination, bytes / sizeof(Char), source, count / sizeof(Char), end, left, flags), \
            bytes, left);                                                                                           \
    }                                                                                                               \
    static __inline HRESULT StringCbCopyEx##W(Char* destination, size_t bytes, const Char* source, Char** end,      \
                                              size_t* left, DWORD flags) {                                          \
        return opennd_in_bytes##W(StringCchCopyEx##W(destination, bytes / sizeof(Char), source, end, left, flags),  \
                                  bytes, left);                                                                     \
    }                                                                                                               \
    static __inline HRESULT StringCbCopy##W(Char* destination, size_t bytes, const Char* source) {                  \
        return StringCchCopy##W(destination, bytes / sizeof(Char), source);                                         \
    }                                                                                                               \
    static __inline HRESULT StringCbCopyN##W(Char* destination, size_t bytes, const Char* source, size_t count) {   \
        return StringCchCopyN##W(destination, bytes / sizeof(Char), source, count / sizeof(Char));                  \
    }                                                                                                               \
    static __inline HRESULT StringCbCatNEx##W(Char* destination, size_t bytes, const Char* source, size_t count,    \
                                              Char** end, size_t* left, DWORD flags) {                              \
        return opennd_in_bytes##W(                                                                                  \
            StringCchCatNEx##W(destination, bytes / sizeof(Char), source, count / sizeof(Char), end, left, flags),  \
            bytes, left);                                                                                           \
    }                                                                                                               \
    static __inline HRESULT StringCbCatEx##W(Char* destination, size_t bytes, const Char* source, Char** end,       \
                                             size_t* left, DWORD flags) {                                           \
        return opennd_in_bytes##W(StringCchCatEx##W(destination, bytes / sizeof(Char), source, end, left, flags),   \
                                  bytes, left);                                                                     \
    }                                                                                                               \
    static __inline HRESULT StringCbCat##W(Char* destination, size_t bytes, const Char* source) {                   \
        return StringCchCat##W(destination, bytes / sizeof(Char), source);                                          \
    }                                                                                                               \
    static __inline HRESULT StringCbCatN##W(Char* destination, size_t bytes, const Char* source, size_t count) {    \
        return StringCchCatN##W(destination, bytes / sizeof(Char), source, count / sizeof(Char));                   \
    }                                                                                                               \
    static __inline HRESULT StringCbVPrintfEx##W(Char* destination, size_t bytes, Char** end, size_t* left,         \
                                                 DWORD flags, const Char* format, va_list arguments) {              \
        return opennd_in_bytes##W(                                                                                  \
            StringCchVPrintfEx##W(destination, bytes / sizeof(Char), end, left, flags, format, arguments), bytes,   \
            left);                                                                                                  \
    }                                                                                                               \
    static __inline HRESULT StringCbVPrintf##W(Char* destination, size_t bytes, const Char* format,                 \
                                               va_list arguments) {                                                 \
        return StringCchVPrintf##W(destination, bytes / sizeof(Char), format, arguments);                           \
    }                                                                                                               \
    static __inline HRESULT StringCbPrintfEx##W(Char* destination, size_t bytes, Char** end, size_t* left,          \
                                                DWORD flags, const Char* format, ...) {                             \
        HRESULT status;                                                                                             \
        va_list arguments;                                                                                          \
        va_start(arguments, format);                                                                                \
        status = StringCbVPrintfEx##W(destination, bytes, end, left, flags, format, arguments);                     \
        va_end(arguments);                                                                                          \
        return status;                                                                                              \
    }                                                                                                               \
    static __inline HRESULT StringCbPrintf##W(Char* destination, size_t bytes, const Char* format, ...) {           \
        HRESULT status;                                                                                             \
        va_list arguments;                                                                                          \
        va_start(arguments, format);                                                                                \
        status = StringCbVPrintf##W(destination, bytes, format, arguments);                                         \
        va_end(arguments);                                                                                          \
        return status;                                                                                              \
    }                                                                                                               \
    static __inline HRESULT StringCbLength##W(const Char* text, size_t bytes, size_t* length) {                     \
        const HRESULT status = StringCchLength##W(text, bytes / sizeof(Char), length);                              \
        if (length != NULL) *length *= sizeof(Char);                                                                \
        return status;                                                                                              \
    }

OPENND_STRSAFE_FORMS(A, CHAR)
OPENND_STRSAFE_FORMS(W, WCHAR)

#ifdef UNICODE
#define OPENND_STRSAFE(name) name##W
#else
#define OPENND_STRSAFE(name) name##A
#endif

#define StringCchCopy      OPENND_STRSAFE(StringCchCopy)
#define StringCchCopyEx    OPENND_STRSAFE(StringCchCopyEx)
#define StringCchCopyN     OPENND_STRSAFE(StringCchCopyN)
#define StringCchCopyNEx   OPENND_STRSAFE(StringCchCopyNEx)
#define StringCchCat       OPENND_STRSAFE(StringCchCat)
#define StringCchCatEx     OPENND_STRSAFE(StringCchCatEx)
#define StringCchCatN      OPENND_STRSAFE(StringCchCatN)
#define StringCchCatNEx    OPENND_STRSAFE(StringCchCatNEx)
#define StringCchPrintf    OPENND_STRSAFE(StringCchPrintf)
#define StringCchPrintfEx  OPENND_STRSAFE(StringCchPrintfEx)
#define StringCchVPrintf   OPENND_STRSAFE(StringCchVPrintf)
#define StringCchVPrintfEx OPENND_STRSAFE(StringCchVPrintfEx)
#define StringCchLength    OPENND_STRSAFE(StringCchLength)
#define StringCbCopy       OPENND_STRSAFE(StringCbCopy)
#define StringCbCopyEx     OPENND_STRSAFE(StringCbCopyEx)
#define StringCbCopyN      OPENND_STRSAFE(StringCbCopyN)
#define StringCbCopyNEx    OPENND_STRSAFE(StringCbCopyNEx)
#define StringCbCat        OPENND_STRSAFE(StringCbCat)
#define StringCbCatEx      OPENND_STRSAFE(StringCbCatEx)
#define StringCbCatN       OPENND_STRSAFE(StringCbCatN)
#define StringCbCatNEx     OPENND_STRSAFE(StringCbCatNEx)
#define StringCbPrintf     OPENND_STRSAFE(StringCbPrintf)
#define StringCbPrintfEx   OPENND_STRSAFE(StringCbPrintfEx)
#define StringCbVPrintf    OPENND_STRSAFE(StringCbVPrintf)
#define StringCbVPrintfEx  OPENND_STRSAFE(StringCbVPrintfEx)
#define StringCbLength     OPENND_STRSAFE(StringCbLength)

#endif
