/* SPDX-License-Identifier: MIT
 *
 * atomics.h: Interlocked functions: full barriers, on any integer of 32 or 64 bits, volatile or not.
 *
 * Increment, decrement and add give the new value, all others the old one. In C++ they are templates over the type of
 * the target, so that a LONG, an int, an unsigned or a long serve alike; in C macros over the same builtins. The forms
 * ending in 64, Acquire, Release and NoFence do the same.
 */
#ifndef OPENND_WINDOWS_ATOMICS_H
#define OPENND_WINDOWS_ATOMICS_H

#include "aligned_memory.h"
#include "types.h"

#define MemoryBarrier() __sync_synchronize()

/* A value behind a full barrier, for that of an Interlocked function. On x86-64 the operation itself is one. On AArch64 it is not: a
 * plain load behind it may be performed before its store is seen. */
#if defined(__x86_64__)
#define OPENND_BEHIND_BARRIER(value) (value)
#else
#define OPENND_BEHIND_BARRIER(value)               \
    __extension__({                                \
        __typeof__(value) opennd_before = (value); \
        MemoryBarrier();                           \
        opennd_before;                             \
    })
#endif

/* For the compiler alone. Functions, which programs declare once more before they name them in #pragma intrinsic; clang has
 * them built in with -fms-extensions. */
#ifdef __cplusplus
extern "C" {
#define OPENND_BARRIER inline
#else
#define OPENND_BARRIER static __inline
#endif
#if __has_builtin(_ReadWriteBarrier)
void _ReadWriteBarrier(void);
void _ReadBarrier(void);
void _WriteBarrier(void);
#else
OPENND_BARRIER void _ReadWriteBarrier(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
OPENND_BARRIER void _ReadBarrier(void) { __atomic_signal_fence(__ATOMIC_ACQUIRE); }
OPENND_BARRIER void _WriteBarrier(void) { __atomic_signal_fence(__ATOMIC_RELEASE); }
#endif
#ifdef __cplusplus
}
#endif

#if defined(__x86_64__)
#include <emmintrin.h>
#else
#define _mm_pause() __asm__ volatile("isb" ::: "memory")
#endif

/* ---- on integers ------------------------------------------------------------------------------------------------- */

#ifdef __cplusplus

template <typename Integer>
inline Integer opennd_add_and_get(volatile Integer* target, Integer change) {
    static_assert(sizeof(Integer) == 4 || sizeof(Integer) == 8, "Interlocked functions take 32 or 64 bits");
    return OPENND_BEHIND_BARRIER(__atomic_add_fetch(target, change, __ATOMIC_SEQ_CST));
}

template <typename Integer>
inline Integer InterlockedIncrement(volatile Integer* target) {
    return opennd_add_and_get(target, static_cast<Integer>(1));
}
template <typename Integer>
inline Integer InterlockedDecrement(volatile Integer* target) {
    return opennd_add_and_get(target, static_cast<Integer>(-1));
}
template <typename Integer, typename Value>
inline Integer InterlockedAdd(volatile Integer* target, Value value) {
    return opennd_add_and_get(target, static_cast<Integer>(value));
}
template <typename Integer, typename Value>
inline Integer InterlockedExchangeAdd(volatile Integer* target, Value value) {
    static_assert(sizeof(Integer) == 4 || sizeof(Integer) == 8, "Interlocked functions take 32 or 64 bits");
    return OPENND_BEHIND_BARRIER(__atomic_fetch_add(target, static_cast<Integer>(value), __ATOMIC_SEQ_CST));
}
template <typename Integer, typename Value>
inline Integer InterlockedExchange(volatile Integer* target, Value value) {
    static_assert(sizeof(Integer) == 4 || sizeof(Integer) == 8, "Interlocked functions take 32 or 64 bits");
    return OPENND_BEHIND_BARRIER(__atomic_exchange_n(target, static_cast<Integer>(value), __ATOMIC_SEQ_CST));
}
template <typename Integer, typename Value, typename Comparand>
inline Integer InterlockedCompareExchange(volatile Integer* target, Value value, Comparand comparand) {
    static_assert(sizeof(Integer) == 4 || sizeof(Integer) == 8, "Interlocked functions take 32 or 64 bits");
    Integer before = static_cast<Integer>(comparand);
    __atomic_compare_exchange_n(target, &before, static_cast<Integer>(value), false, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
    return OPENND_BEHIND_BARRIER(before);
}
template <typename Integer, typename Value>
inline Integer InterlockedAnd(volatile Integer* target, Value value) {
    return OPENND_BEHIND_BARRIER(__atomic_fetch_and(target, static_cast<Integer>(value), __ATOMIC_SEQ_CST));
}
template <typename Integer, typename Value>
inline Integer InterlockedOr(volatile Integer* target, Value value) {
    return OPENND_BEHIND_BARRIER(__atomic_fetch_or(target, static_cast<Integer>(value), __ATOMIC_SEQ_CST));
}
template <typename Integer, typename Value>
inline Integer InterlockedXor(volatile Integer* target, Value value) {
    return OPENND_BEHIND_BARRIER(__atomic_fetch_xor(target, static_cast<Integer>(value), __ATOMIC_SEQ_CST));
}

#else

#define InterlockedIncrement(target)  OPENND_BEHIND_BARRIER(__atomic_add_fetch((target), 1, __ATOMIC_SEQ_CST))
#define InterlockedDecrement(target)  OPENND_BEHIND_BARRIER(__atomic_sub_fetch((target), 1, __ATOMIC_SEQ_CST))
#define InterlockedAdd(target, value) OPENND_BEHIND_BARRIER(__atomic_add_fetch((target), (value), __ATOMIC_SEQ_CST))
#define InterlockedExchangeAdd(target, value) \
    OPENND_BEHIND_BARRIER(__atomic_fetch_add((target), (value), __ATOMIC_SEQ_CST))
#define InterlockedExchange(target, value) \
    OPENND_BEHIND_BARRIER(__atomic_exchange_n((target), (value), __ATOMIC_SEQ_CST))
#define InterlockedAnd(target, value) OPENND_BEHIND_BARRIER(__atomic_fetch_and((target), (value), __ATOMIC_SEQ_CST))
#define InterlockedOr(target, value)  OPENND_BEHIND_BARRIER(__atomic_fetch_or((target), (value), __ATOMIC_SEQ_CST))
#define InterlockedXor(target, value) OPENND_BEHIND_BARRIER(__atomic_fetch_xor((target), (value), __ATOMIC_SEQ_CST))
#define InterlockedCompareExchange(target, value, comparand) \
    OPENND_BEHIND_BARRIER(__sync_val_compare_and_swap((target), (comparand), (value)))

#endif

#define InterlockedIncrement64       InterlockedIncrement
#define InterlockedDecrement64       InterlockedDecrement
#define InterlockedAdd64             InterlockedAdd
#define InterlockedExchangeAdd64     InterlockedExchangeAdd
#define InterlockedExchange64        InterlockedExchange
#define InterlockedCompareExchange64 InterlockedCompareExchange
#define InterlockedAnd64             InterlockedAnd
#define InterlockedOr64              InterlockedOr
#define InterlockedXor64             InterlockedXor

#define InterlockedIncrementAcquire       InterlockedIncrement
#define InterlockedIncrementRelease       InterlockedIncrement
#define InterlockedIncrementNoFence       InterlockedIncrement
#define InterlockedDecrementAcquire       InterlockedDecrement
#define InterlockedDecrementRelease       InterlockedDecrement
#define InterlockedDecrementNoFence       InterlockedDecrement
#define InterlockedCompareExchangeAcquire InterlockedCompareExchange
#define InterlockedCompareExchangeRelease InterlockedCompareExchange
#define InterlockedExchangeAcquire        InterlockedExchange

#define _InterlockedIncrement         InterlockedIncrement
#define _InterlockedDecrement         InterlockedDecrement
#define _InterlockedExchange          InterlockedExchange
#define _InterlockedExchangeAdd       InterlockedExchangeAdd
#define _InterlockedCompareExchange   InterlockedCompareExchange
#define _InterlockedAnd               InterlockedAnd
#define _InterlockedOr                InterlockedOr
#define _InterlockedCompareExchange64 InterlockedCompareExchange

/* ---- on pointers ------------------------------------------------------------------------------------------------- */

/* PVOID is void*: pointers to others are cast by the program, as on Windows. */
static __inline PVOID InterlockedExchangePointer(PVOID volatile* target, PVOID value) {
    return OPENND_BEHIND_BARRIER(__atomic_exchange_n(target, value, __ATOMIC_SEQ_CST));
}

static __inline PVOID InterlockedCompareExchangePointer(PVOID volatile* target, PVOID value, PVOID comparand) {
    PVOID before = comparand;
    __atomic_compare_exchange_n(target, &before, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return OPENND_BEHIND_BARRIER(before);
}

/* ---- on 128 bits ------------------------------------------------------------------------------------------------- */

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Replaces the two numbers at target, which is aligned to 16 bytes, if they equal the two at comparand. comparand
 * gets the previous numbers in any case. 1: replaced; 0. */
UCHAR WINAPI InterlockedCompareExchange128(LONG64 volatile* target, LONG64 high, LONG64 low, LONG64* comparand);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#define _InterlockedCompareExchange128 InterlockedCompareExchange128

#endif
