// SPDX-License-Identifier: MIT
// The caller's memory that a queued request keeps.
#include "transport/soft/queues/send_queue.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd::soft {
namespace {

using support::proves;

std::string_view text_of(const Sge& entry) { return {reinterpret_cast<const char*>(entry.buffer), entry.length}; }

TEST(SendQueue, KeepsEachEntryWithoutATokenInAPlaceOfItsOwn) {
    proves("ND1-EP-INL-02", "ND1-EP-INL-06");
    std::string first = "first", registered = "registered", last = "last one";
    const auto entry = [](std::string& text, Token token) {
        return Sge{reinterpret_cast<std::byte*>(text.data()), static_cast<std::uint32_t>(text.size()), token};
    };
    const std::array list{entry(first, Token::none), entry(registered, Token{7}), Sge{nullptr, 0, Token::none},
                          entry(last, Token::none)};
    WorkRequest request{Operation::send, RequestFlags::inline_entries, nullptr, list};
    SendQueue queue(2, 4, 64);
    ASSERT_TRUE(queue.make_room());
    queue.append(request, 23);
    queue.store(0, request);
    std::ranges::fill(first, 'x');  // the program uses its memory again
    std::ranges::fill(last, 'x');
    const std::span<const Sge> kept = queue.stored(0);
    ASSERT_EQ(kept.size(), 4u);
    EXPECT_EQ(text_of(kept[0]), "first");
    EXPECT_EQ(kept[1].buffer, list[1].buffer) << "registered memory is read where it lies";
    EXPECT_EQ(kept[2].length, 0u);
    EXPECT_EQ(text_of(kept[3]), "last one");
}

// A request with one entry, of `number` bytes, whose context is `number`.
void post(SendQueue& queue, std::uint32_t number) {
    const Sge entry{nullptr, number, Token{7}};
    const WorkRequest request{
        Operation::send, RequestFlags::none, reinterpret_cast<void*>(std::uintptr_t{number}), {&entry, 1}};
    ASSERT_TRUE(queue.make_room());
    const std::uint32_t at = queue.tail();
    queue.append(request, number);
    queue.store(at, request);
}

void complete(SendQueue& queue) {
    queue.advance_started();
    queue.advance_head(true);
    queue.freed().store(queue.head());
}

TEST(SendQueue, HoldsAsManyAsItsDepthWhereverItsRingStands) {
    proves("ND2-QP-POST-06");
    for (std::uint32_t before = 0; before < 70; ++before) {
        SendQueue queue(300, 1, 0);
        for (std::uint32_t number = 0; number < before; ++number) {
            post(queue, 999);
            complete(queue);
        }
        for (std::uint32_t number = 1; number <= 300; ++number) post(queue, number);
        EXPECT_FALSE(queue.make_room());
        for (std::uint32_t number = 1; number <= 300; ++number) {
            ASSERT_EQ(queue[queue.head()].context, reinterpret_cast<void*>(std::uintptr_t{number}));
            ASSERT_EQ(queue.stored(queue.head()).size(), 1u);
            ASSERT_EQ(queue.stored(queue.head())[0].length, number);
            complete(queue);
        }
        EXPECT_TRUE(queue.idle());
    }
}

// A long request is carried out without the lock, by its list.
TEST(SendQueue, LeavesTheListOfARequestWhereItLayWhenItGrows) {
    SendQueue queue(1000, 1, 0);
    post(queue, 1);
    const std::span<const Sge> list = queue.stored(0);
    for (std::uint32_t number = 2; number <= 1000; ++number) post(queue, number);
    ASSERT_NE(queue.stored(0).data(), list.data()) << "it did not grow";
    EXPECT_EQ(list[0].length, 1u);
    EXPECT_EQ(queue.stored(0)[0].length, 1u);
}

TEST(SendQueue, GrowsByWhatWaitsAtOnce) {
    SendQueue queue(1000, 1, 0);
    post(queue, 1);
    const Sge* place = nullptr;  // of the second: the one place for the first grows to four then
    for (std::uint32_t number = 1; number < 1000; ++number) {
        queue.advance_started();
        queue.advance_head(true);  // its result is not retrieved
        post(queue, number);
        if (!place) place = queue.stored(number).data();
        ASSERT_LE(std::abs(queue.stored(number).data() - place), 2 * 3);
    }
    EXPECT_FALSE(queue.make_room());
}

}  // namespace
}  // namespace opennd::soft
