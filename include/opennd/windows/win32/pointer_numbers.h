/* SPDX-License-Identifier: MIT
 *
 * pointer_numbers.h: pointers and handles as numbers of 32 bits, and back. The upper half is cut; on
 * the way back it is zero, or for a signed number its sign. A HANDLE loses nothing: it has 32 significant bits.
 */
#ifndef OPENND_WINDOWS_POINTER_NUMBERS_H
#define OPENND_WINDOWS_POINTER_NUMBERS_H

#include "types.h"

static __inline ULONG HandleToULong(const void* handle) { return (ULONG)(ULONG_PTR)handle; }
static __inline LONG HandleToLong(const void* handle) { return (LONG)(LONG_PTR)handle; }
static __inline void* ULongToHandle(ULONG number) { return (void*)(ULONG_PTR)number; }
static __inline void* LongToHandle(LONG number) { return (void*)(LONG_PTR)number; }
static __inline ULONG PtrToULong(const void* pointer) { return (ULONG)(ULONG_PTR)pointer; }
static __inline LONG PtrToLong(const void* pointer) { return (LONG)(LONG_PTR)pointer; }
static __inline UINT PtrToUInt(const void* pointer) { return (UINT)(ULONG_PTR)pointer; }
static __inline INT PtrToInt(const void* pointer) { return (INT)(LONG_PTR)pointer; }
static __inline USHORT PtrToUShort(const void* pointer) { return (USHORT)(ULONG_PTR)pointer; }
static __inline SHORT PtrToShort(const void* pointer) { return (SHORT)(LONG_PTR)pointer; }
static __inline void* ULongToPtr(ULONG number) { return (void*)(ULONG_PTR)number; }
static __inline void* LongToPtr(LONG number) { return (void*)(LONG_PTR)number; }
static __inline void* UIntToPtr(UINT number) { return (void*)(ULONG_PTR)number; }
static __inline void* IntToPtr(INT number) { return (void*)(LONG_PTR)number; }

#define HandleToUlong HandleToULong
#define UlongToHandle ULongToHandle
#define PtrToUlong    PtrToULong
#define PtrToUint     PtrToUInt
#define PtrToUshort   PtrToUShort
#define UlongToPtr    ULongToPtr
#define UintToPtr     UIntToPtr

#endif
