// SPDX-License-Identifier: MIT
//
// Data between OpenND and the kernel's soft iWARP, each byte compared, with either side connecting. Requirements
// IW-IOP-01 to -05, -13.
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

// A fence that met one would end the connection (docs/decisions/0026).
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

// Writes and Reads of both sides at the same time, each with 16 outstanding: siw sends without a pause, and nothing
// that it cannot answer then may come (docs/decisions/0026).
TEST_P(Transfer, OfMuchBothWaysAtOnce) {
    proves("IW-IOP-04", "IW-IOP-05");
    constexpr std::uint32_t kRequests = 2000;
    constexpr std::uint64_t kOwn = 2 * kPart;  // where this side's Writes and Reads go, behind those of the peer
    Meeting meeting(driver(), GetParam());
    Endpoint& side = meeting.side();
    ASSERT_EQ(meeting.tell({.verb = Verb::fill, .length = kPart, .seed = 20}), 0u);
    fill_pattern(meeting.here(kMemory).subspan(kPart, kPart), 21);
    fill_pattern(meeting.here(kMemory).subspan(kOwn, kPart), 22);
    ASSERT_EQ(meeting.tell({.verb = Verb::fill, .offset = kOwn + kPart, .length = kPart, .seed = 23}), 0u);
    meeting.order(meeting.aimed({.verb = Verb::traffic, .count = kRequests}));
    std::uint32_t posted = 0;
    for (std::uint32_t completed = 0; completed < kRequests; ++completed) {
        for (; posted < kRequests && posted - completed < kOutstanding; ++posted) {
            const bool write = posted % 7 != 6;  // a Read would be a fence for the Writes before it
            const std::uint64_t place = kOwn + (write ? 0 : kPart) + posted % kPieces * kPiece;
            const std::size_t here = Meeting::kHere + place;
            ASSERT_EQ(write ? side.write(posted, here, kPiece, meeting.there(place))
                            : side.read(posted, here, kPiece, meeting.there(place)),
                      Outcome::success);
        }
        const Completion done = conformance::next(*side.initiated, kPatience);
        ASSERT_EQ(done.outcome, Outcome::success) << "request " << completed;
        ASSERT_EQ(done.request, completed);
    }
    EXPECT_EQ(meeting.answer(), 0u);
    EXPECT_TRUE(has_pattern(meeting.here(kPart), 20)) << "what the peer wrote";
    EXPECT_EQ(meeting.tell({.verb = Verb::check, .offset = kPart, .length = kPart, .seed = 21}), 0u) << "and read";
    EXPECT_EQ(meeting.tell({.verb = Verb::check, .offset = kOwn, .length = kPart, .seed = 22}), 0u);
    EXPECT_TRUE(has_pattern(meeting.here(kMemory).subspan(kOwn + kPart, kPart), 23));
}

// More Reads than may be open at once, for every depth agreed on.
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
