/* SPDX-License-Identifier: MIT
 *
 * bits.h: the order of a number's bytes, and the places of its bits: built into the compiler on Windows; <windows.h>,
 * <stdlib.h> by way of it, and <intrin.h> have the same.
 */
#ifndef OPENND_WINDOWS_BITS_H
#define OPENND_WINDOWS_BITS_H

#include "types.h"

/* The bytes in reverse order. Windows' unsigned long has 32 bits, and so has the number of _byteswap_ulong. */
static __inline unsigned short _byteswap_ushort(unsigned short number) { return __builtin_bswap16(number); }
static __inline ULONG _byteswap_ulong(ULONG number) { return __builtin_bswap32(number); }
static __inline UINT64 _byteswap_uint64(UINT64 number) { return __builtin_bswap64(number); }

/* The place of the lowest or highest bit that is set, from 0 on. Not 0: there is one; 0: none, and *index is as it was. The
 * index may be a DWORD, a ULONG or an unsigned long, to which programs point. Of the mask the lowest 32 bits count, with 64
 * in the name all. */
#ifdef __cplusplus

template <typename Index>
inline unsigned char _BitScanForward(Index* index, ULONG mask) {
    if (mask == 0) return 0;
    *index = (Index)__builtin_ctz(mask);
    return 1;
}
template <typename Index>
inline unsigned char _BitScanReverse(Index* index, ULONG mask) {
    if (mask == 0) return 0;
    *index = (Index)(31 - __builtin_clz(mask));
    return 1;
}
template <typename Index>
inline unsigned char _BitScanForward64(Index* index, UINT64 mask) {
    if (mask == 0) return 0;
    *index = (Index)__builtin_ctzll(mask);
    return 1;
}
template <typename Index>
inline unsigned char _BitScanReverse64(Index* index, UINT64 mask) {
    if (mask == 0) return 0;
    *index = (Index)(63 - __builtin_clzll(mask));
    return 1;
}

#else

#define OPENND_BIT_SCAN(type, index, mask, place)                       \
    __extension__({                                                     \
        const type opennd_mask = (type)(mask);                          \
        if (opennd_mask != 0) *(index) = (__typeof__(*(index)))(place); \
        (unsigned char)(opennd_mask != 0);                              \
    })
#define _BitScanForward(index, mask)   OPENND_BIT_SCAN(ULONG, index, mask, __builtin_ctz(opennd_mask))
#define _BitScanReverse(index, mask)   OPENND_BIT_SCAN(ULONG, index, mask, 31 - __builtin_clz(opennd_mask))
#define _BitScanForward64(index, mask) OPENND_BIT_SCAN(UINT64, index, mask, __builtin_ctzll(opennd_mask))
#define _BitScanReverse64(index, mask) OPENND_BIT_SCAN(UINT64, index, mask, 63 - __builtin_clzll(opennd_mask))

#endif

#define BitScanForward   _BitScanForward
#define BitScanReverse   _BitScanReverse
#define BitScanForward64 _BitScanForward64
#define BitScanReverse64 _BitScanReverse64

#endif
