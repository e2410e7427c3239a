/* SPDX-License-Identifier: MIT
 *
 * integer_limits.h: the limits of Windows' integers. LONG and ULONG have 32 bits, and programs compare
 * with LONG_MAX and ULONG_MAX: so these two become Windows' values, after the system's <limits.h> has had its say.
 */
#ifndef OPENND_WINDOWS_INTEGER_LIMITS_H
#define OPENND_WINDOWS_INTEGER_LIMITS_H

/* Before the limits change: headers of the C++ library that use them. */
#ifdef __cplusplus
#include "standard_headers.h"
#endif
#include <limits.h>
#include <stdint.h>

#undef LONG_MIN
#undef LONG_MAX
#undef ULONG_MAX
#define LONG_MIN  (-2147483647 - 1)
#define LONG_MAX  2147483647
#define ULONG_MAX 0xFFFFFFFFu

#define MINCHAR      (-128)
#define MAXCHAR      0x7F
#define MAXUCHAR     0xFFu
#define MINSHORT     (-32767 - 1)
#define MAXSHORT     0x7FFF
#define MAXUSHORT    0xFFFFu
#define MAXBYTE      0xFFu
#define MAXWORD      0xFFFFu
#define MININT       (-2147483647 - 1)
#define MAXINT       0x7FFFFFFF
#define MAXUINT      0xFFFFFFFFu
#define MINLONG      (-2147483647 - 1)
#define MAXLONG      0x7FFFFFFF
#define MAXULONG     0xFFFFFFFFu
#define MAXDWORD     0xFFFFFFFFu
#define MINLONGLONG  INT64_MIN
#define MAXLONGLONG  INT64_MAX
#define MAXULONGLONG UINT64_MAX

#define MININT8    INT8_MIN
#define MAXINT8    INT8_MAX
#define MAXUINT8   UINT8_MAX
#define MININT16   INT16_MIN
#define MAXINT16   INT16_MAX
#define MAXUINT16  UINT16_MAX
#define MININT32   INT32_MIN
#define MAXINT32   INT32_MAX
#define MAXUINT32  UINT32_MAX
#define MININT64   INT64_MIN
#define MAXINT64   INT64_MAX
#define MAXUINT64  UINT64_MAX
#define MINLONG32  INT32_MIN
#define MAXLONG32  INT32_MAX
#define MAXULONG32 UINT32_MAX
#define MAXDWORD32 UINT32_MAX
#define MINLONG64  INT64_MIN
#define MAXLONG64  INT64_MAX
#define MAXULONG64 UINT64_MAX
#define MAXDWORD64 UINT64_MAX

#define MAXSIZE_T    SIZE_MAX
#define MINSSIZE_T   INTPTR_MIN
#define MAXSSIZE_T   INTPTR_MAX
#define MININT_PTR   INTPTR_MIN
#define MAXINT_PTR   INTPTR_MAX
#define MAXUINT_PTR  UINTPTR_MAX
#define MINLONG_PTR  INTPTR_MIN
#define MAXLONG_PTR  INTPTR_MAX
#define MAXULONG_PTR UINTPTR_MAX
#define MAXDWORD_PTR UINTPTR_MAX

#endif
