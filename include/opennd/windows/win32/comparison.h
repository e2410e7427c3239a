/* SPDX-License-Identifier: MIT
 *
 * comparison.h: comparing text for people, and for machines.
 */
#ifndef OPENND_WINDOWS_COMPARISON_H
#define OPENND_WINDOWS_COMPARISON_H

#include "types.h"

typedef DWORD LCID;

#define LOCALE_NEUTRAL        ((LCID)0x0000)
#define LOCALE_INVARIANT      ((LCID)0x007F)
#define LOCALE_USER_DEFAULT   ((LCID)0x0400)
#define LOCALE_SYSTEM_DEFAULT ((LCID)0x0800)

#define NORM_IGNORECASE       0x00000001
#define LINGUISTIC_IGNORECASE 0x00000010
#define SORT_STRINGSORT       0x00001000

#define CSTR_LESS_THAN    1
#define CSTR_EQUAL        2
#define CSTR_GREATER_THAN 3

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Compares for people, the same in every Locale: signs come before digits and digits before letters; a small letter before the same one in capitals, where nothing else differs; with NORM_IGNORECASE or LINGUISTIC_IGNORECASE they are one. Letters stand in the order of their numbers: accents are not set aside, as Windows' tables do. Hyphen and apostrophe are signs like others, as SORT_STRINGSORT asks. A length is in characters; -1: to the end.
 * CSTR_LESS_THAN, CSTR_EQUAL, CSTR_GREATER_THAN. 0: ERROR_INVALID_PARAMETER: no text; ERROR_INVALID_FLAGS: others. */
int WINAPI CompareStringA(LCID Locale, DWORD dwCmpFlags, LPCCH lpString1, int cchCount1, LPCCH lpString2,
                          int cchCount2);
int WINAPI CompareStringW(LCID Locale, DWORD dwCmpFlags, LPCWCH lpString1, int cchCount1, LPCWCH lpString2,
                          int cchCount2);

/* Compares the characters' numbers, with bIgnoreCase those of their capitals. The same results. */
int WINAPI CompareStringOrdinal(LPCWCH lpString1, int cchCount1, LPCWCH lpString2, int cchCount2, BOOL bIgnoreCase);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define CompareString CompareStringW
#else
#define CompareString CompareStringA
#endif

#endif
