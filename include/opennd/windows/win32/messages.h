/* SPDX-License-Identifier: MIT
 *
 * messages.h: texts for error codes.
 */
#ifndef OPENND_WINDOWS_MESSAGES_H
#define OPENND_WINDOWS_MESSAGES_H

#include <stdarg.h>

#include "types.h"

#define FORMAT_MESSAGE_ALLOCATE_BUFFER 0x00000100
#define FORMAT_MESSAGE_IGNORE_INSERTS  0x00000200
#define FORMAT_MESSAGE_FROM_HMODULE    0x00000800
#define FORMAT_MESSAGE_FROM_SYSTEM     0x00001000
#define FORMAT_MESSAGE_MAX_WIDTH_MASK  0x000000FF

typedef HANDLE HLOCAL;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Gives the text of a code: of Win32, of Winsock, an HRESULT or an ND status. The text ends in a line end, or with
 * FORMAT_MESSAGE_MAX_WIDTH_MASK in a space. lpBuffer: room for nSize characters; or, with
 * FORMAT_MESSAGE_ALLOCATE_BUFFER, the address of a pointer to the text, which the caller frees with LocalFree.
 * lpSource, dwLanguageId and Arguments have no effect: the texts are English and have nothing to insert. The length
 * without the terminator; 0: ERROR_INVALID_PARAMETER: dwFlags asks for neither the system's nor a module's messages,
 * or lpBuffer is NULL; ERROR_INSUFFICIENT_BUFFER. */
DWORD WINAPI FormatMessageA(DWORD dwFlags, LPCVOID lpSource, DWORD dwMessageId, DWORD dwLanguageId, LPSTR lpBuffer,
                            DWORD nSize, va_list* Arguments);
DWORD WINAPI FormatMessageW(DWORD dwFlags, LPCVOID lpSource, DWORD dwMessageId, DWORD dwLanguageId, LPWSTR lpBuffer,
                            DWORD nSize, va_list* Arguments);

/* Frees a text of FormatMessage; NULL does nothing. NULL. */
HLOCAL WINAPI LocalFree(HLOCAL hMem);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define FormatMessage FormatMessageW
#else
#define FormatMessage FormatMessageA
#endif

#endif
