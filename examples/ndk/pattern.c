/* SPDX-License-Identifier: MIT
 * No two pages are alike, nor a page and the same one moved by some bytes. */
#include "pattern.h"

static UCHAR PatternAt(ULONG Place, ULONG Seed) { return (UCHAR)((Place * 2654435761u + Seed * 40503u) >> 13); }

VOID PatternFill(PUCHAR Bytes, ULONG Length, ULONG Seed) {
    ULONG i;
    for (i = 0; i < Length; ++i) Bytes[i] = PatternAt(i, Seed);
}

BOOLEAN PatternMatches(const UCHAR* Bytes, ULONG Length, ULONG Seed) {
    ULONG i;
    for (i = 0; i < Length; ++i)
        if (Bytes[i] != PatternAt(i, Seed)) return FALSE;
    return TRUE;
}

UINT32 Checksum(const UCHAR* Bytes, ULONG Length) { /* FNV-1a */
    UINT32 Sum = 2166136261u;
    ULONG i;
    for (i = 0; i < Length; ++i) Sum = (Sum ^ Bytes[i]) * 16777619u;
    return Sum;
}
