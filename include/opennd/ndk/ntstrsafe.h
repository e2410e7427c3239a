/* SPDX-License-Identifier: MIT
 *
 * ntstrsafe.h: formatted and copied text that always ends within its room. Formats are Windows'. The Cb
 * forms count bytes, the Cch forms characters, with room for the terminator.
 */
#ifndef OPENND_NDK_NTSTRSAFE_H
#define OPENND_NDK_NTSTRSAFE_H

#include <stdarg.h>

#include "kernel/status.h"
#include "kernel/types.h"

#define NTSTRSAFE_MAX_CCH 2147483647

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* STATUS_SUCCESS; STATUS_BUFFER_OVERFLOW: the text was cut; STATUS_INVALID_PARAMETER: no room, or more than
 * NTSTRSAFE_MAX_CCH. */
NTSTATUS NTAPI RtlStringCchVPrintfA(PSTR pszDest, SIZE_T cchDest, PCSTR pszFormat, va_list argList);
NTSTATUS NTAPI RtlStringCchVPrintfW(PWSTR pszDest, SIZE_T cchDest, PCWSTR pszFormat, va_list argList);
NTSTATUS NTAPI RtlStringCchPrintfA(PSTR pszDest, SIZE_T cchDest, PCSTR pszFormat, ...);
NTSTATUS NTAPI RtlStringCchPrintfW(PWSTR pszDest, SIZE_T cchDest, PCWSTR pszFormat, ...);
NTSTATUS NTAPI RtlStringCbVPrintfA(PSTR pszDest, SIZE_T cbDest, PCSTR pszFormat, va_list argList);
NTSTATUS NTAPI RtlStringCbVPrintfW(PWSTR pszDest, SIZE_T cbDest, PCWSTR pszFormat, va_list argList);
NTSTATUS NTAPI RtlStringCbPrintfA(PSTR pszDest, SIZE_T cbDest, PCSTR pszFormat, ...);
NTSTATUS NTAPI RtlStringCbPrintfW(PWSTR pszDest, SIZE_T cbDest, PCWSTR pszFormat, ...);

NTSTATUS NTAPI RtlStringCchCopyA(PSTR pszDest, SIZE_T cchDest, PCSTR pszSrc);
NTSTATUS NTAPI RtlStringCchCopyW(PWSTR pszDest, SIZE_T cchDest, PCWSTR pszSrc);
NTSTATUS NTAPI RtlStringCbCopyA(PSTR pszDest, SIZE_T cbDest, PCSTR pszSrc);
NTSTATUS NTAPI RtlStringCbCopyW(PWSTR pszDest, SIZE_T cbDest, PCWSTR pszSrc);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define RtlStringCchPrintf RtlStringCchPrintfW
#define RtlStringCbPrintf  RtlStringCbPrintfW
#define RtlStringCchCopy   RtlStringCchCopyW
#define RtlStringCbCopy    RtlStringCbCopyW
#else
#define RtlStringCchPrintf RtlStringCchPrintfA
#define RtlStringCbPrintf  RtlStringCbPrintfA
#define RtlStringCchCopy   RtlStringCchCopyA
#define RtlStringCbCopy    RtlStringCbCopyA
#endif

#endif
