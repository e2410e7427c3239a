// SPDX-License-Identifier: MIT
// The one Interlocked function that the compilers leave to a library of theirs: by the processor's own instructions, so
// that no further library is needed.
#include "win32/atomics.h"

namespace {

struct Pair {
    LONG64 low;
    LONG64 high;
};

}  // namespace

UCHAR InterlockedCompareExchange128(LONG64 volatile* target, LONG64 high, LONG64 low, LONG64* comparand) {
#if defined(__x86_64__)
    UCHAR replaced = 0;
    asm volatile("lock cmpxchg16b %1"
                 : "=@ccz"(replaced), "+m"(*reinterpret_cast<volatile Pair*>(target)), "+a"(comparand[0]),
                   "+d"(comparand[1])
                 : "b"(low), "c"(high)
                 : "memory");
    return replaced;
#else
    // Exclusive loads and stores of a pair; the barriers make it a full one, as on Windows.
    UCHAR replaced = 0;
    LONG64 before_low = 0;
    LONG64 before_high = 0;
    unsigned lost = 0;
    do {
        asm volatile("ldaxp %0, %1, %2"
                     : "=&r"(before_low), "=&r"(before_high)
                     : "Q"(*reinterpret_cast<volatile Pair*>(target))
                     : "memory");
        replaced = before_low == comparand[0] && before_high == comparand[1];
        const LONG64 new_low = replaced ? low : before_low;
        const LONG64 new_high = replaced ? high : before_high;
        asm volatile("stlxp %w0, %2, %3, %1"
                     : "=&r"(lost), "=Q"(*reinterpret_cast<volatile Pair*>(target))
                     : "r"(new_low), "r"(new_high)
                     : "memory");
    } while (lost != 0);
    MemoryBarrier();
    comparand[0] = before_low;
    comparand[1] = before_high;
    return replaced;
#endif
}
