/* SPDX-License-Identifier: MIT
 *
 * memory.h: filling, copying and comparing bytes, beyond win32/memory.h.
 */
#ifndef OPENND_KERNEL_MEMORY_H
#define OPENND_KERNEL_MEMORY_H

#include "../../windows/win32/memory.h"
#include "types.h"

#define RtlCopyBytes(destination, source, bytes) RtlCopyMemory(destination, source, bytes)
#define RtlZeroBytes(destination, bytes)         RtlZeroMemory(destination, bytes)
#define RtlSecureZeroMemory(destination, bytes)  SecureZeroMemory(destination, bytes)

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* How many bytes are equal from the start on. */
SIZE_T NTAPI RtlCompareMemory(const VOID* Source1, const VOID* Source2, SIZE_T Length);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
