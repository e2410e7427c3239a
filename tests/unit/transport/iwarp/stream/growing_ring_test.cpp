// SPDX-License-Identifier: MIT
// A queue that grows, in order, wherever its oldest element lies.
#include "transport/iwarp/stream/growing_ring.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace opennd::iwarp
