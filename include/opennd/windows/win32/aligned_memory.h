/* SPDX-License-Identifier: MIT
 *
 * aligned_memory.h: memory with an alignment, of Windows' C library. In a file of its own, because clang's
 * headers of vector instructions call it where a file defines _WIN32.
 */
#ifndef OPENND_WINDOWS_ALIGNED_MEMORY_H
#define OPENND_WINDOWS_ALIGNED_MEMORY_H

#include <stddef.h>

#include "conventions.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* alignment is a power of two. The caller frees the memory with _aligned_free. NULL and errno. */
void* __cdecl _aligned_malloc(size_t size, size_t alignment);
void __cdecl _aligned_free(void* memory);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
