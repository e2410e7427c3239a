// SPDX-License-Identifier: MIT
//
// Data between OpenND and the kernel's soft iWARP, each byte compared, whoever connected. Requirements IW-IOP-01 to
// -05, -13.
#include "lab/lab_test.h"

namespace opennd::lab {
namespace {

constexpr std::size_t kSizes[] = {0, 1, 7, 1459, 1460, 4096, 65'537, 1'048'576};

class Transfer : public Lab {};
INSTANTIATE_TEST_SUITE_P(, Transfer, either_way(), opener_name);

TEST_P(Transfer, OfSends) {
    proves("IW-IOP-01", "IW-IOP-02", "IW-IOP-03", "IW-IOP-13", "IW-IOP-15", "IW-IOP-16");
    Meeting meeting(driver(), GetParam());
    for (const std::size_t size : kSizes) {
        SCOPED_TRACE(size);
        fill_pattern(meeting.here(size), size);
        ASSERT_EQ(meeting.tell({.verb = Verb::receive, .length = size, .seed = size}), 0u);
        meeting.expect_answer();
        ASSERT_EQ(meeting.side().send(1, Meeting::kHere, size), Outcome::success);
        EXPECT_TRUE(reports(*meeting.side().initiated, RequestKind::send, 1, Outcome::success));
        EXPECT_EQ(meeting.answer(), 0u);
    }
}

TEST_P(Transfer, OfSendsOfThePeer) {
    Meeting meeting(driver(), GetParam());
    for (const std::size_t size : kSizes) {
        SCOPED_TRACE(size);
        ASSERT_EQ(meeting.tell({.verb = Verb::fill, .length = size, .seed = size}), 0u);
        support::fill_with(meeting.here(kMemory), std::byte{0xEE});
        ASSERT_EQ(meeting.side().receive(1, Meeting::kHere, kMemory), Outcome::success);
        meeting.order({.verb = Verb::send, .length = size});
        EXPECT_TRUE(reports_received(*meeting.side().received, 1, size));
        EXPECT_EQ(meeting.answer(), 0u);
        EXPECT_TRUE(has_pattern(meeting.here(size), size));
        EXPECT_EQ(meeting.here(size + 1)[size], std::byte{0xEE}) << "not one more";
    }
}

// Run without fences: siw ends the connection for one that meets an inline message (docs/decisions/0017).
TEST_P(Transfer, OfInlineSendsOfThePeer) {
    Meeting meeting(driver(), GetParam());
    ASSERT_EQ(meeting.tell({.verb = Verb::fill, .length = 64, .seed = 5}), 0u);
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(meeting.side().receive(1, Meeting::kHere, 64), Outcome::success);
        meeting.order({.verb = Verb::send, .length = 64, .inlined = 1});
        EXPECT_TRUE(reports_received(*meeting.side().received, 1, 64));
        EXPECT_EQ(meeting.answer(), 0u);
        EXPECT_TRUE(has_pattern(meeting.here(64), 5));
    }
}

TEST_P(Transfer, OfWrites) {
    proves("IW-IOP-04");
    Meeting meeting(driver(), GetParam());
    for (const std::size_t size : kSizes) {
        SCOPED_TRACE(size);
        fill_pattern(meeting.here(size), size + 1);
        ASSERT_EQ(meeting.side().write(1, Meeting::kHere, size, meeting.there(3)), Outcome::success);
        EXPECT_TRUE(reports(*meeting.side().initiated, RequestKind::write, 1, Outcome::success));
        EXPECT_EQ(meeting.tell({.verb = Verb::check, .offset = 3, .length = size, .seed = size + 1}), 0u);
    }
}

TEST_P(Transfer, OfWritesOfThePeer) {
    Meeting meeting(driver(), GetParam());
    for (const std::size_t size : kSizes) {
        SCOPED_TRACE(size);
        ASSERT_EQ(meeting.tell({.verb = Verb::fill, .length = size, .seed = size}), 0u);
        support::fill_with(meeting.here(size + 1), std::byte{0xEE});
        EXPECT_EQ(meeting.tell(meeting.aimed({.verb = Verb::write, .length = size})), 0u);
        EXPECT_TRUE(has_pattern(meeting.here(size), size));
        EXPECT_EQ(meeting.here(size + 1)[size], std::byte{0xEE}) << "not one more";
    }
}

TEST_P(Transfer, OfReads) {
    proves("IW-IOP-05");
    Meeting meeting(driver(), GetParam());
    ASSERT_EQ(meeting.tell({.verb = Verb::fill, .offset = 5, .length = kSizes[7], .seed = 9}), 0u);
    for (const std::size_t size : kSizes) {
        SCOPED_TRACE(size);
        support::fill_with(meeting.here(size + 1), std::byte{0xEE});
        ASSERT_EQ(meeting.side().read(1, Meeting::kHere, size, meeting.there(5)), Outcome::success);
        EXPECT_TRUE(reports(*meeting.side().initiated, RequestKind::read, 1, Outcome::success));
        EXPECT_TRUE(has_pattern(meeting.here(size), 9));
        EXPECT_EQ(meeting.here(size + 1)[size], std::byte{0xEE}) << "not one more";
    }
}

TEST_P(Transfer, OfReadsOfThePeer) {
    Meeting meeting(driver(), GetParam());
    for (const std::size_t size : kSizes) {
        SCOPED_TRACE(size);
        fill_pattern(meeting.here(size), size);
        EXPECT_EQ(meeting.tell(meeting.aimed({.verb = Verb::read, .length = size})), 0u);
        EXPECT_EQ(meeting.tell({.verb = Verb::check, .length = size, .seed = size}), 0u);
    }
}

// More Reads than may be open at once, whatever the two sides agreed on.
TEST_P(Transfer, OfManyReadsAtOnce) {
    for (const std::uint32_t open : {1u, 2u, 16u}) {
        SCOPED_TRACE(open);
        Meeting meeting(driver(), GetParam(), {.inbound = open, .outbound = open});
        ReadLimits agreed;
        ASSERT_EQ(meeting.side().connector->read_limits(agreed), Outcome::success);
        EXPECT_EQ(agreed, (ReadLimits{open, open}));
        ASSERT_EQ(meeting.tell({.verb = Verb::fill, .length = 16 * 1000, .seed = 3}), 0u);
        for (Tag tag = 0; tag < 16; ++tag)
            ASSERT_EQ(meeting.side().read(tag, Meeting::kHere + tag * 1000, 1000, meeting.there(tag * 1000)),
                      Outcome::success);
        for (Tag tag = 0; tag < 16; ++tag)
            EXPECT_TRUE(reports(*meeting.side().initiated, RequestKind::read, tag, Outcome::success));
        EXPECT_TRUE(has_pattern(meeting.here(16 * 1000), 3));
    }
}

}  // namespace
}  // namespace opennd::lab
