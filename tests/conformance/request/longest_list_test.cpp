// SPDX-License-Identifier: MIT
//
// Requests with as many entries as the adapter takes. Requirement ND2-QP-POST-04 and those of each kind of request.
#include <algorithm>
#include <vector>

#include "conformance/vocabulary/fixture.h"

namespace opennd::conformance {
namespace {

constexpr std::size_t kGap = 3;  // between two entries
// On both sides of every length at which a transport may choose another way.
constexpr std::size_t kBytesOfEntries[] = {1, 64, 511, 1024, 5000, 40'000};
constexpr std::size_t kMemory = std::size_t{64} * (kBytesOfEntries[5] + kGap);

class LongestListData : public DataTest {
protected:
    ConnectedPair pair_of_longest_lists() {
        const Limits limits = Endpoint(driver(), {}).adapter->limits();
        longest_ = std::min(limits.max_initiator_sge, limits.max_receive_sge);
        longest_read_ = std::min(limits.max_initiator_sge, limits.max_read_sge);
        return connected(kMemory, {.queue_pair = {.receive_sge = limits.max_receive_sge,
                                                  .initiator_sge = limits.max_initiator_sge}});
    }

    static std::vector<Sge> entries(Endpoint& side, std::size_t count, std::size_t bytes) {
        std::vector<Sge> list;
        for (std::size_t i = 0; i < count; ++i) list.push_back(side.piece(i * (bytes + kGap), bytes));
        return list;
    }
    static void fill(Endpoint& side, std::size_t count, std::size_t bytes) {
        fill_with(side.memory.bytes(), std::byte{0xEE});
        for (std::size_t i = 0; i < count; ++i) fill_pattern(side.bytes(i * (bytes + kGap), bytes), bytes + i);
    }
    static void expect_filled(Endpoint& side, std::size_t count, std::size_t bytes, std::size_t gap) {
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_TRUE(has_pattern(side.bytes(i * (bytes + gap), bytes), bytes + i)) << "entry " << i;
            ASSERT_TRUE(is_filled_with(side.bytes(i * (bytes + gap) + bytes, gap), std::byte{0xEE})) << "entry " << i;
        }
    }

    std::size_t longest_ = 0, longest_read_ = 0;
};

TEST_P(LongestListData, OfASendAndOfItsReceive) {
    proves("ND2-QP-POST-04", "ND2-QP-SEND-01", "ND2-QP-RECV-03");
    auto pair = pair_of_longest_lists();
    for (const std::size_t bytes : kBytesOfEntries) {
        SCOPED_TRACE(bytes);
        fill(pair.a, longest_, bytes);
        fill_with(pair.b.memory.bytes(), std::byte{0xEE});
        ASSERT_EQ(pair.b.queue_pair->receive(1, entries(pair.b, longest_, bytes)), Outcome::success);
        ASSERT_EQ(pair.a.queue_pair->send(2, entries(pair.a, longest_, bytes), kNoFlags), Outcome::success);
        ASSERT_TRUE(reports_received(*pair.b.received, 1, longest_ * bytes));
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
        expect_filled(pair.b, longest_, bytes, kGap);
    }
}

TEST_P(LongestListData, OfAWrite) {
    proves("ND2-QP-POST-04", "ND2-QP-RDMA-01");
    auto pair = pair_of_longest_lists();
    for (const std::size_t bytes : kBytesOfEntries) {
        SCOPED_TRACE(bytes);
        fill(pair.a, longest_, bytes);
        ASSERT_EQ(pair.a.queue_pair->write(1, entries(pair.a, longest_, bytes), pair.b.remote(), kNoFlags),
                  Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
        // The result of a Read behind it comes when the Write has been placed.
        ASSERT_EQ(pair.a.read(2, 0, 1, pair.b.remote()), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::read, 2, Outcome::success));
        expect_filled(pair.b, longest_, bytes, 0);
    }
}

TEST_P(LongestListData, OfARead) {
    proves("ND2-QP-POST-04", "ND2-QP-READ-01");
    auto pair = pair_of_longest_lists();
    for (const std::size_t bytes : kBytesOfEntries) {
        SCOPED_TRACE(bytes);
        fill_with(pair.a.memory.bytes(), std::byte{0xEE});
        for (std::size_t i = 0; i < longest_read_; ++i) fill_pattern(pair.b.bytes(i * bytes, bytes), bytes + i);
        ASSERT_EQ(pair.a.queue_pair->read(1, entries(pair.a, longest_read_, bytes), pair.b.remote(), kNoFlags),
                  Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::read, 1, Outcome::success));
        expect_filled(pair.a, longest_read_, bytes, kGap);
    }
}

INSTANTIATE_TEST_SUITE_P(, LongestListData, every_data_variant(), data_variant_name);

}  // namespace
}  // namespace opennd::conformance
