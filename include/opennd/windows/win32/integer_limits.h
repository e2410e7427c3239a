/* SPDX-License-Identifier: MIT
 *
 * integer_limits.h: the limits of Windows' integers (spec section 6.3). LONG and ULONG have 32 bits, and programs compare
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

#define MAXUCHAR     0xFFu
#define MAXSHORT     0x7FFF
#define MAXUSHORT    0xFFFFu
#define MAXWORD      0xFFFFu
#define MAXINT       0x7FFFFFFF
#define MAXUINT      0xFFFFFFFFu
#define MAXLONG      0x7FFFFFFF
#define MAXULONG     0xFFFFFFFFu
#define MAXDWORD     0xFFFFFFFFu
#define MAXLONGLONG  INT64_MAX
#define MAXULONGLONG UINT64_MAX
#define MAXUINT32    UINT32_MAX
#define MAXUINT64    UINT64_MAX
#define MAXLONG64    INT64_MAX
#define MAXULONG64   UINT64_MAX
#define MAXSIZE_T    SIZE_MAX
#define MAXULONG_PTR UINTPTR_MAX

#endif
