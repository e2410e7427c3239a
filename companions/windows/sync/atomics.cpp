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
    // Exclusive loads and stores of a pair, with nothing of the compiler's in between; the barrier makes them a full one, as on
    // Windows. A pair that stays is stored as well: only then it was read as one.
    LONG64 before_low = 0;
    LONG64 before_high = 0;
    LONG64 new_low = 0;
    LONG64 new_high = 0;
    unsigned lost = 0;
    asm volatile(
        "1: ldaxp %[before_low], %[before_high], %[target]\n"
        "   cmp %[before_low], %[expected_low]\n"
        "   ccmp %[before_high], %[expected_high], #0, eq\n"
        "   csel %[new_low], %[low], %[before_low], eq\n"
        "   csel %[new_high], %[high], %[before_high], eq\n"
        "   stlxp %w[lost], %[new_low], %[new_high], %[target]\n"
        "   cbnz %w[lost], 1b"
        : [before_low] "=&r"(before_low), [before_high] "=&r"(before_high), [new_low] "=&r"(new_low),
          [new_high] "=&r"(new_high), [lost] "=&r"(lost), [target] "+Q"(*reinterpret_cast<volatile Pair*>(target))
        : [expected_low] "r"(comparand[0]), [expected_high] "r"(comparand[1]), [low] "r"(low), [high] "r"(high)
        : "cc", "memory");
    const UCHAR replaced = before_low == comparand[0] && before_high == comparand[1];
    MemoryBarrier();
    comparand[0] = before_low;
    comparand[1] = before_high;
    return replaced;
#endif
}
