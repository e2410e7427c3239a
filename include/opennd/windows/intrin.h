/* SPDX-License-Identifier: MIT
 *
 * intrin.h: functions built into Microsoft's compiler, as far as programs use them here: places of bits, orders of
 * bytes, Interlocked functions, barriers; and the processor's own instructions, which the compiler's headers have.
 */
#ifndef OPENND_WINDOWS_INTRIN_H
#define OPENND_WINDOWS_INTRIN_H

#include "win32/aligned_memory.h"
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "win32/atomics.h"
#include "win32/bits.h"
#include "win32/conventions.h"

#endif
