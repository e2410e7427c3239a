// SPDX-License-Identifier: MIT
#include "transport/soft/queues/receive_queue.h"

#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd::soft {
namespace {

using support::proves;

void* tag(std::uintptr_t number) { return reinterpret_cast<void*>(number); }

void append(ReceiveQueue& queue, std::uintptr_t number) {
    const std::array sges{Sge{nullptr, static_cast<std::uint32_t>(number), Token::none}, Sge{nullptr, 1, Token::none}};
    queue.append(tag(number), sges);
}

TEST(ReceiveQueue, CountsWhatWaitsAndWhatIsInUse) {
    proves("ND2-SRQ-RECV-04");
    ReceiveQueue queue(2, 4);
    append(queue, 1);
    append(queue, 2);
    EXPECT_TRUE(queue.full());
    queue.consume();
    EXPECT_EQ(queue.waiting(), 1u);
    EXPECT_EQ(queue.in_use(), 2u);
    EXPECT_TRUE(queue.full()) << "until the result is retrieved";
    queue.freed().fetch_add(1);
    EXPECT_EQ(queue.in_use(), 1u);
    EXPECT_FALSE(queue.full());
}

TEST(ReceiveQueue, OfDepthZeroIsAlwaysFullAndHoldsOne) {
    ReceiveQueue queue(0, 4);
    for (std::uintptr_t number = 1; number < 5; ++number) {
        EXPECT_TRUE(queue.full());
        append(queue, number);
        EXPECT_EQ(queue.context(), tag(number));
        EXPECT_EQ(queue.sges()[0].length, number);
        queue.consume();
        EXPECT_TRUE(queue.empty());
    }
}

TEST(ReceiveQueue, KeepsItsContentWhenItGrows) {
    proves("ND2-SRQ-MOD-01");
    for (std::uintptr_t before = 0; before < 9; ++before) {  // wherever in the ring the content stands
        ReceiveQueue queue(4, 2);
        for (std::uintptr_t number = 0; number < before; ++number) {
            append(queue, 99);
            queue.freed().store(queue.consume());
        }
        for (std::uintptr_t number = 1; number <= 4; ++number) append(queue, number);
        queue.resize(21);
        for (std::uintptr_t number = 5; number <= 21; ++number) {
            ASSERT_FALSE(queue.full());
            append(queue, number);
        }
        EXPECT_TRUE(queue.full());
        for (std::uintptr_t number = 1; number <= 21; ++number) {
            ASSERT_EQ(queue.context(), tag(number));
            ASSERT_EQ(queue.sges().size(), 2u);
            ASSERT_EQ(queue.sges()[0].length, number);
            queue.consume();
        }
        EXPECT_TRUE(queue.empty());
    }
}

TEST(ReceiveQueue, KeepsItsContentWhenItShrinks) {
    proves("ND2-SRQ-MOD-01");
    ReceiveQueue queue(16, 2);
    for (std::uintptr_t number = 1; number <= 3; ++number) append(queue, number);
    queue.resize(3);
    EXPECT_TRUE(queue.full());
    for (std::uintptr_t number = 1; number <= 3; ++number) {
        EXPECT_EQ(queue.context(), tag(number));
        queue.consume();
    }
}

}  // namespace
}  // namespace opennd::soft
