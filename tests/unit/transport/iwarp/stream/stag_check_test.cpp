// SPDX-License-Identifier: MIT
// A peer's rights to memory, octet by octet.
#include "transport/iwarp/stream/stag_check.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;
using Standing = TaggedBuffer::Standing;

constexpr std::uint64_t kBase = 0x7fff0000, kLength = 0x1000;
constexpr std::uint64_t kLastOctet = std::numeric_limits<std::uint64_t>::max();

TaggedBuffer granted() { return {Standing::ours, kBase, kLength, true, true, true}; }
TaggedBuffer of(Standing standing) {
    TaggedBuffer buffer = granted();
    buffer.standing = standing;
    return buffer;
}

std::optional<TerminateCause> term_of(const std::optional<Fault>& fault) {
    return fault ? std::optional(cause(*fault)) : std::nullopt;
}

std::optional<TerminateCause> write(const TaggedBuffer& buffer, std::uint64_t offset, std::size_t bytes) {
    const Octets ulpdu = tagged_ulpdu(Opcode::write, {Stag{9}, offset}, bytes);
    return term_of(check_write(segment_of(ulpdu), buffer));
}

std::optional<TerminateCause> read(const TaggedBuffer& buffer, std::uint64_t offset, std::uint32_t bytes,
                                   std::uint64_t sink_offset = 0) {
    return term_of(check_read_source({Stag{8}, sink_offset, bytes, Stag{9}, offset}, buffer));
}

TEST(CheckWrite, GrantsTheRangeToTheOctet) {
    proves("IW-DDP-13", "IW-NEG-60", "IW-NEG-61");
    EXPECT_EQ(write(granted(), kBase, kLength), std::nullopt);
    EXPECT_EQ(write(granted(), kBase + kLength - 1, 1), std::nullopt);
    EXPECT_EQ(write(granted(), kBase - 1, 1), term(1, 1, 1));
    EXPECT_EQ(write(granted(), kBase - 1, 2), term(1, 1, 1));
    EXPECT_EQ(write(granted(), kBase + kLength - 1, 2), term(1, 1, 1));
    EXPECT_EQ(write(granted(), kBase + kLength, 1), term(1, 1, 1));
    EXPECT_EQ(write(granted(), kBase, kLength + 1), term(1, 1, 1));
}

TEST(CheckWrite, RefusesAnStagThatIsNotOfTheStream) {
    proves("IW-NEG-56", "IW-NEG-57", "IW-NEG-58");
    EXPECT_EQ(write(TaggedBuffer{}, kBase, 1), term(1, 1, 0));
    EXPECT_EQ(write(of(Standing::unknown), kBase, 1), term(1, 1, 0));
    EXPECT_EQ(write(of(Standing::foreign), kBase, 1), term(1, 1, 2));
}

TEST(CheckWrite, RefusesToWrap) {
    proves("IW-SEC-06", "IW-NEG-62", "IW-NEG-63");
    EXPECT_EQ(write(granted(), kLastOctet, 2), term(1, 1, 3));
    EXPECT_EQ(write(granted(), kLastOctet, 1), term(1, 1, 3)) << "ends exactly at the end of the address space";
    EXPECT_EQ(write(granted(), kLastOctet - 1, 1), term(1, 1, 1));
    EXPECT_EQ(write(granted(), (1ull << 63) - 1, 2), term(1, 1, 1)) << "no sign";
}

TEST(CheckWrite, TellsAMissingRightAsAnInvalidStag) {
    proves("IW-DDP-14", "IW-SEC-09", "IW-NEG-59");
    TaggedBuffer read_only = granted();
    read_only.remote_write = false;
    EXPECT_EQ(write(read_only, kBase, 1), term(1, 1, 0));
    EXPECT_EQ(write(read_only, kBase - 1, 1), term(1, 1, 1)) << "bounds come first";
}

TEST(CheckWrite, NeedsNothingWithoutPayload) {
    proves("IW-SEC-10", "IW-NEG-64");
    EXPECT_EQ(write(TaggedBuffer{}, kLastOctet, 0), std::nullopt);
}

TEST(CheckReadSource, GrantsTheRangeToTheOctet) {
    proves("IW-NEG-86");
    EXPECT_EQ(read(granted(), kBase, kLength), std::nullopt);
    EXPECT_EQ(read(granted(), kBase, kLength + 1), term(0, 1, 1));
    EXPECT_EQ(read(granted(), kBase - 1, 1), term(0, 1, 1));
}

TEST(CheckReadSource, RefusesInTheCodesOfRdmap) {
    proves("IW-NEG-83", "IW-NEG-84", "IW-NEG-85");
    TaggedBuffer write_only = granted();
    write_only.remote_read = false;
    EXPECT_EQ(read(of(Standing::unknown), kBase, 1), term(0, 1, 0));
    EXPECT_EQ(read(of(Standing::foreign), kBase, 1), term(0, 1, 3));
    EXPECT_EQ(read(write_only, kBase, 1), term(0, 1, 2));
}

TEST(CheckReadSource, RefusesToWrapAtEitherEnd) {
    proves("IW-RDMAP-30", "IW-NEG-87", "IW-NEG-88");
    EXPECT_EQ(read(granted(), kLastOctet, 2), term(0, 1, 4));
    EXPECT_EQ(read(granted(), kBase, 2, kLastOctet), term(0, 1, 4));
}

TEST(CheckReadSource, NeedsNothingForSizeZero) {
    proves("IW-RDMAP-07", "IW-NEG-89");
    EXPECT_EQ(read(TaggedBuffer{}, kLastOctet, 0, kLastOctet), std::nullopt);
}

TEST(CheckInvalidation, IsForWindowsOfThisStream) {
    proves("IW-SEC-08", "IW-NEG-105", "IW-NEG-106", "IW-NEG-107");
    TaggedBuffer region = granted();
    region.remote_invalidate = false;
    EXPECT_EQ(term_of(check_invalidation(Stag{9}, granted())), std::nullopt);
    EXPECT_EQ(term_of(check_invalidation(Stag{9}, of(Standing::unknown))), term(0, 1, 0));
    EXPECT_EQ(term_of(check_invalidation(Stag{9}, of(Standing::foreign))), term(0, 1, 3));
    EXPECT_EQ(term_of(check_invalidation(Stag{9}, region)), term(0, 1, 9));
}

}  // namespace
}  // namespace opennd::iwarp
