/* SPDX-License-Identifier: MIT
 *
 * interlocked.h: Interlocked functions, full barriers: those of win32/atomics.h, under the names of the compiler's own, too.
 */
#ifndef OPENND_KERNEL_INTERLOCKED_H
#define OPENND_KERNEL_INTERLOCKED_H

#include "../../windows/win32/atomics.h"

#define _InterlockedAdd                    InterlockedAdd
#define _InterlockedXor                    InterlockedXor
#define _InterlockedIncrement64            InterlockedIncrement
#define _InterlockedDecrement64            InterlockedDecrement
#define _InterlockedAdd64                  InterlockedAdd
#define _InterlockedExchange64             InterlockedExchange
#define _InterlockedExchangeAdd64          InterlockedExchangeAdd
#define _InterlockedAnd64                  InterlockedAnd
#define _InterlockedOr64                   InterlockedOr
#define _InterlockedXor64                  InterlockedXor
#define _InterlockedExchangePointer        InterlockedExchangePointer
#define _InterlockedCompareExchangePointer InterlockedCompareExchangePointer

#define KeMemoryBarrier() MemoryBarrier()

#endif
