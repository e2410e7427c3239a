// SPDX-License-Identifier: MIT
#include "transport/soft/queues/receive_queue.h"

#include <array>
#include <cstdint>
#include <cstdlib>

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

void post(ReceiveQueue& queue, std::uintptr_t number) {
    ASSERT_TRUE(queue.make_room());
    append(queue, number);
}

TEST(ReceiveQueue, CountsWhatWaitsAndWhatIsInUse) {
    proves("ND2-SRQ-RECV-04");
    ReceiveQueue queue(2, 4);
    post(queue, 1);
    post(queue, 2);
    EXPECT_FALSE(queue.make_room());
    queue.consume();
    EXPECT_EQ(queue.waiting(), 1u);
    EXPECT_EQ(queue.in_use(), 2u);
    EXPECT_FALSE(queue.make_room()) << "until the result is retrieved";
    queue.freed().fetch_add(1);
    EXPECT_EQ(queue.in_use(), 1u);
    EXPECT_TRUE(queue.make_room());
}

TEST(ReceiveQueue, OfDepthZeroIsAlwaysFullAndHoldsOne) {
    ReceiveQueue queue(0, 4);
    for (std::uintptr_t number = 1; number < 5; ++number) {
        EXPECT_FALSE(queue.make_room());
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
            post(queue, 99);
            queue.freed().store(queue.consume());
        }
        for (std::uintptr_t number = 1; number <= 4; ++number) post(queue, number);
        queue.resize(21);
        for (std::uintptr_t number = 5; number <= 21; ++number) post(queue, number);
        EXPECT_FALSE(queue.make_room());
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
    for (std::uintptr_t number = 1; number <= 3; ++number) post(queue, number);
    queue.resize(3);
    EXPECT_FALSE(queue.make_room());
    for (std::uintptr_t number = 1; number <= 3; ++number) {
        EXPECT_EQ(queue.context(), tag(number));
        queue.consume();
    }
}

TEST(ReceiveQueue, HoldsAsManyAsItsDepthWhereverItsRingStands) {
    proves("ND2-QP-POST-06");
    for (std::uintptr_t before = 0; before < 70; ++before) {
        ReceiveQueue queue(300, 2);
        for (std::uintptr_t number = 0; number < before; ++number) {
            post(queue, 99);
            queue.freed().store(queue.consume());
        }
        for (std::uintptr_t number = 1; number <= 300; ++number) post(queue, number);
        EXPECT_FALSE(queue.make_room());
        for (std::uintptr_t number = 1; number <= 300; ++number) {
            ASSERT_EQ(queue.context(), tag(number));
            ASSERT_EQ(queue.sges()[0].length, number);
            queue.consume();
        }
        EXPECT_TRUE(queue.empty());
    }
}

// A message is copied without the lock, by the list of its receive.
TEST(ReceiveQueue, LeavesTheListOfAReceiveWhereItLayWhenItGrows) {
    ReceiveQueue queue(1000, 2);
    post(queue, 1);
    const std::span<const Sge> list = queue.sges();
    for (std::uintptr_t number = 2; number <= 1000; ++number) post(queue, number);
    ASSERT_NE(queue.sges().data(), list.data()) << "it did not grow";
    EXPECT_EQ(list[0].length, 1u);
    EXPECT_EQ(queue.sges()[0].length, 1u);
}

// What waits at once needs places; what waits for the retrieval of its result needs none.
TEST(ReceiveQueue, GrowsByWhatWaitsAtOnce) {
    ReceiveQueue queue(1000, 2);
    post(queue, 1);
    const Sge* place = nullptr;  // of the second: the one place for the first grows to four then
    for (std::uintptr_t number = 2; number <= 1000; ++number) {
        queue.consume();
        post(queue, number);
        if (!place) place = queue.sges().data();
        ASSERT_LE(std::abs(queue.sges().data() - place), 2 * 3);
    }
    EXPECT_EQ(queue.in_use(), 1000u);
    EXPECT_FALSE(queue.make_room());
}

}  // namespace
}  // namespace opennd::soft
