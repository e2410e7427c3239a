/* SPDX-License-Identifier: MIT
 *
 * code_pages.h: wide text from bytes, and back.
 *
 * The one encoding is UTF-8: so are the program's own (CP_ACP), the terminal's (CP_OEMCP) and the thread's. WCHAR has 32 bits,
 * one for each character: no pair of halves is ever made or expected.
 */
#ifndef OPENND_WINDOWS_CODE_PAGES_H
#define OPENND_WINDOWS_CODE_PAGES_H

#include "types.h"

#define CP_ACP        0
#define CP_OEMCP      1
#define CP_THREAD_ACP 3
#define CP_UTF8       65001

#define MB_PRECOMPOSED       0x00000001
#define MB_ERR_INVALID_CHARS 0x00000008

#define WC_NO_BEST_FIT_CHARS 0x00000400
#define WC_ERR_INVALID_CHARS 0x00000080

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Converts cbMultiByte bytes, or with -1 a text and its end. cchWideChar is the room in characters; 0 asks for the room needed.
 * Bytes that are no character become U+FFFD, or with MB_ERR_INVALID_CHARS a failure. The characters written or needed. 0:
 * ERROR_INSUFFICIENT_BUFFER; ERROR_NO_UNICODE_TRANSLATION; ERROR_INVALID_FLAGS; ERROR_INVALID_PARAMETER: no text or no
 * place, a length of 0, both in one place, another code page. */
int WINAPI MultiByteToWideChar(UINT CodePage, DWORD dwFlags, LPCCH lpMultiByteStr, int cbMultiByte,
                               LPWSTR lpWideCharStr, int cchWideChar);

/* The other way. lpDefaultChar and lpUsedDefaultChar are for encodings that lack characters, and must be NULL with CP_UTF8;
 * with the others *lpUsedDefaultChar becomes FALSE. Numbers that are no character become U+FFFD, or with
 * WC_ERR_INVALID_CHARS a failure. The bytes written or needed; 0 and the codes above. */
int WINAPI WideCharToMultiByte(UINT CodePage, DWORD dwFlags, LPCWCH lpWideCharStr, int cchWideChar,
                               LPSTR lpMultiByteStr, int cbMultiByte, LPCCH lpDefaultChar, LPBOOL lpUsedDefaultChar);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
