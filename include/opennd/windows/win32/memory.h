/* SPDX-License-Identifier: MIT
 *
 * memory.h: filling, copying and comparing bytes under Windows' names.
 */
#ifndef OPENND_WINDOWS_MEMORY_H
#define OPENND_WINDOWS_MEMORY_H

#include <string.h>

#include "types.h"

#define RtlZeroMemory(destination, bytes)         memset((destination), 0, (bytes))
#define RtlFillMemory(destination, bytes, value)  memset((destination), (value), (bytes))
#define RtlCopyMemory(destination, source, bytes) memcpy((destination), (source), (bytes))
#define RtlMoveMemory(destination, source, bytes) memmove((destination), (source), (bytes))
#define RtlEqualMemory(one, other, bytes)         (memcmp((one), (other), (bytes)) == 0)
#define ZeroMemory(destination, bytes)            RtlZeroMemory(destination, bytes)
#define FillMemory(destination, bytes, value)     RtlFillMemory(destination, bytes, value)
#define CopyMemory(destination, source, bytes)    RtlCopyMemory(destination, source, bytes)
#define MoveMemory(destination, source, bytes)    RtlMoveMemory(destination, source, bytes)

/* Zeroes memory though nobody reads it again. */
#define SecureZeroMemory(destination, bytes) explicit_bzero((destination), (bytes))

#endif
