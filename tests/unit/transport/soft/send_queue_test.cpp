// SPDX-License-Identifier: MIT
// The caller's memory that a queued request keeps.
#include "transport/soft/queues/send_queue.h"

#include <algorithm>
#include <array>
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

}  // namespace
}  // namespace opennd::soft
