// SPDX-License-Identifier: MIT
// A queue that grows, in order, wherever its oldest element lies.
#include "transport/iwarp/stream/growing_ring.h"

#include <gtest/gtest.h>

#include <new>

#include "support/requirement.h"

namespace opennd::iwarp {
namespace {

TEST(GrowingRing, KeepsItsOrderAsItGrows) {
    GrowingRing<int> ring;
    int next = 0, oldest = 0;
    for (int most = 1; most <= 300; most = most * 2 + 1) {
        while (ring.size() < static_cast<std::size_t>(most)) {
            ASSERT_TRUE(ring.make_room());
            ring.push(next++);
        }
        for (std::size_t place = 0; place < ring.size(); ++place)
            ASSERT_EQ(ring[place], oldest + static_cast<int>(place));
        for (int i = 0; i <= most / 2; ++i) {
            ASSERT_EQ(ring.front(), oldest++);
            ring.pop();
        }
    }
    for (; !ring.empty(); ring.pop()) EXPECT_EQ(ring.front(), oldest++);
    EXPECT_EQ(oldest, next);
}

// An element of which there can be no more than `left`.
struct Scarce {
    Scarce() {
        if (left-- == 0) throw std::bad_alloc();
    }
    int value = 0;
    static inline int left = 1000;
};

TEST(GrowingRing, StaysAsItIsWithoutMemory) {
    support::proves("ND2-GEN-02");
    GrowingRing<Scarce> ring;
    Scarce element;
    for (int pushed = 0; pushed < 4; ++pushed) {
        ASSERT_TRUE(ring.make_room());
        element.value = pushed;
        ring.push(element);
    }
    Scarce::left = 0;
    EXPECT_FALSE(ring.make_room());
    ASSERT_EQ(ring.size(), 4u);
    Scarce::left = 1000;
    EXPECT_TRUE(ring.make_room());
    for (int popped = 0; popped < 4; ++popped) {
        EXPECT_EQ(ring.front().value, popped);
        ring.pop();
    }
}

}  // namespace
}  // namespace opennd::iwarp
