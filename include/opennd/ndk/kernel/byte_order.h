/* SPDX-License-Identifier: MIT
 *
 * byte_order.h: numbers with their bytes in the other order.
 */
#ifndef OPENND_KERNEL_BYTE_ORDER_H
#define OPENND_KERNEL_BYTE_ORDER_H

#include "types.h"

#define RtlUshortByteSwap(number)    ((USHORT)__builtin_bswap16((USHORT)(number)))
#define RtlUlongByteSwap(number)     ((ULONG)__builtin_bswap32((ULONG)(number)))
#define RtlUlonglongByteSwap(number) ((ULONGLONG)__builtin_bswap64((ULONGLONG)(number)))

#endif
