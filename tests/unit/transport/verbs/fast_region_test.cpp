// SPDX-License-Identifier: MIT
// Fast regions over a fake device, which registers nothing by requests: OpenND puts addresses in place of their tokens.
#include "transport/verbs/memory/fast_region.h"

#include <cstring>
#include <string_view>
#include <vector>

#include "base/explanation.h"
#include "support/requirement.h"
#include "transport/verbs/device/named_pages.h"
#include "unit/transport/verbs/data_path_test.h"

namespace opennd::verbs {
namespace {

using support::proves;

constexpr std::uint64_t kBase = 0x40010;  // no address
constexpr std::uint32_t kFirstByte = 0x10;
constexpr std::size_t kPages = 16;

class VerbsFastRegionTest : public DataPathTest {
protected:
    VerbsFastRegionTest() {
        std::vector<std::uint64_t> pages;
        for (std::size_t page = 0; page < kPages; ++page) pages.push_back(address_of(page));
        mapping_ = adapter_->name_pages(pages).take();
        connect_both();
        region_ = adapter_->create_fast_region().take();
    }
    ~VerbsFastRegionTest() override { region_->close(); }

    std::uint64_t address_of(std::size_t page) const {
        return reinterpret_cast<std::uint64_t>(memory_.data()) + page * kPageBytes;
    }
    // Byte `at` of what the region names, where it names `pages`.
    std::byte* byte(std::initializer_list<std::size_t> pages, std::size_t at) {
        const std::size_t place = kFirstByte + at;
        return memory_.data() + pages.begin()[place / kPageBytes] * kPageBytes + place % kPageBytes;
    }
    Sge named(std::uint64_t at, std::uint32_t bytes) const {
        return {reinterpret_cast<std::byte*>(kBase + at), bytes, region_->local_token()};
    }

    Status post_subject(Side& side, Operation operation, TransportRequestSubject* subject,
                        RequestFlags flags = RequestFlags::none) {
        WorkRequest request{operation, flags, reinterpret_cast<void*>(7), {}};
        request.extra = subject;
        return side.pair->post(request);
    }
    Status post_register(std::initializer_list<std::size_t> pages, Access access = Access::local_write,
                         RequestFlags flags = RequestFlags::none) {
        std::vector<std::uint64_t> addresses;
        for (const std::size_t page : pages) addresses.push_back(address_of(page));
        const auto registration = region_->prepare(
            {addresses, kFirstByte, kBase, pages.size() * kPageBytes - kFirstByte}, access, Reach::local);
        return post_subject(here_, Operation::fast_register, registration.get(), flags);
    }
    Status outcome(Side& side) {
        const auto results = side.poll_all();
        return results.empty() ? Status::would_block : results[0].status;
    }
    Status fast_register(std::initializer_list<std::size_t> pages, Access access = Access::local_write) {
        EXPECT_EQ(post_register(pages, access), Status::success);
        return outcome(here_);
    }
    Status invalidate(Side& side) {
        EXPECT_EQ(post_subject(side, Operation::invalidate, region_.get()), Status::success);
        return outcome(side);
    }
    // Sends what the region names there, and gives what the peer has then.
    Status send(std::uint64_t at, std::uint32_t bytes) {
        EXPECT_EQ(post(there_, Operation::receive, {there_.entry(0, 4096)}), Status::success);
        EXPECT_EQ(post(here_, Operation::send, {named(at, bytes)}), Status::success);
        (void)there_.poll();
        return outcome(here_);
    }
    const char* arrived() const { return reinterpret_cast<const char*>(there_.memory.data()); }

    alignas(kPageBytes) std::array<std::byte, kPages * kPageBytes> memory_{};
    Ref<RefCounted> mapping_;
    Ref<TransportFastRegion> region_;
};

TEST_F(VerbsFastRegionTest, RequestsNameItsMemoryByItsNumbers) {
    proves("NDK-MAP-10", "NDK-QP-FREG-01", "NDK-QP-FREG-07");
    ASSERT_EQ(fast_register({3, 4}), Status::success);
    EXPECT_TRUE(region_->valid());
    std::memcpy(byte({3, 4}, 40), "to send", 8);
    ASSERT_EQ(send(40, 8), Status::success);
    EXPECT_STREQ(arrived(), "to send");
    ASSERT_EQ(post(here_, Operation::receive, {named(80, 8)}), Status::success);
    ASSERT_EQ(post(there_, Operation::send, {there_.entry(0, 8)}), Status::success);
    EXPECT_EQ(outcome(here_), Status::success);
    EXPECT_EQ(std::memcmp(byte({3, 4}, 80), "to send", 8), 0);
}

// An entry becomes one for each run of neighbouring pages.
TEST_F(VerbsFastRegionTest, ItsPagesNeedNotBeNeighbours) {
    proves("NDK-QP-FREG-01");
    ASSERT_EQ(fast_register({7, 8, 2}), Status::success);
    constexpr std::size_t kEdge = 2 * kPageBytes - kFirstByte;
    std::memcpy(byte({7, 8, 2}, kEdge - 4), "both", 4);
    std::memcpy(byte({7, 8, 2}, kEdge), "ends", 5);
    ASSERT_EQ(send(kEdge - 4, 9), Status::success);
    EXPECT_STREQ(arrived(), "bothends");
    EXPECT_EQ(fake_.counts().sent_entries.size(), 2u);
    ASSERT_EQ(send(kPageBytes - kFirstByte - 4, 8), Status::success);
    EXPECT_EQ(fake_.counts().sent_entries.size(), 1u) << "these two pages are neighbours";
}

TEST_F(VerbsFastRegionTest, MoreRunsThanEntriesAreRefusedByName) {
    proves("NDK-MAP-10");
    ASSERT_EQ(fast_register({0, 2, 4, 6, 8}), Status::success);
    EXPECT_EQ(post(here_, Operation::send, {named(0, 5 * kPageBytes - kFirstByte)}), Status::insufficient_resources);
    EXPECT_NE(std::string_view(last_failure().limit).find("fake0"), std::string_view::npos);
    EXPECT_EQ(here_.pair->state(), QueuePairState::attached);
    EXPECT_TRUE(here_.poll().empty());
}

TEST_F(VerbsFastRegionTest, IsUsedByRequestsBehindItsRegistration) {
    proves("NDK-QP-FREG-04");
    fake_.hold();
    std::memcpy(byte({1}, 0), "to send", 8);
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    ASSERT_EQ(post_register({1}), Status::success);
    ASSERT_EQ(post(here_, Operation::send, {named(0, 8)}), Status::success);
    ASSERT_EQ(post_subject(here_, Operation::invalidate, region_.get()), Status::success);
    EXPECT_FALSE(region_->valid()) << "nothing has executed";
    fake_.run();
    const auto results = here_.poll();
    ASSERT_EQ(results.size(), 3u);
    EXPECT_EQ(results[0].operation, Operation::fast_register);
    EXPECT_EQ(results[0].request_context, reinterpret_cast<void*>(7));
    EXPECT_EQ(results[1].operation, Operation::send);
    EXPECT_EQ(results[2].operation, Operation::invalidate);
    for (const Completion& each : results) EXPECT_EQ(each.status, Status::success);
    EXPECT_STREQ(arrived(), "to send");
    EXPECT_FALSE(region_->valid());
}

TEST_F(VerbsFastRegionTest, HasOneTokenForAllItsRegistrations) {
    proves("NDK-MR-FRMR-03", "NDK-QP-INV-05");
    const Token local = region_->local_token();
    EXPECT_TRUE(adapter_->names_fast_region(local));
    const int regions = fake_.counts().regions;
    for (std::size_t cycle = 0; cycle < 2 * kDepth; ++cycle) {
        ASSERT_EQ(post_register({cycle % kPages}, Access::local_write, RequestFlags::silent_success), Status::success);
        std::memcpy(byte({cycle % kPages}, 8), &cycle, sizeof cycle);
        ASSERT_EQ(send(8, sizeof cycle), Status::success);
        EXPECT_EQ(std::memcmp(arrived(), &cycle, sizeof cycle), 0);
        ASSERT_EQ(invalidate(here_), Status::success);
        EXPECT_EQ(region_->local_token(), local);
    }
    EXPECT_EQ(fake_.counts().regions, regions + 1) << "of the mapping, once";
}

TEST_F(VerbsFastRegionTest, NamesNothingOnceInvalidated) {
    proves("NDK-QP-INV-01");
    ASSERT_EQ(fast_register({0}), Status::success);
    ASSERT_EQ(invalidate(here_), Status::success);
    EXPECT_FALSE(region_->valid());
    EXPECT_EQ(send(0, 8), Status::access_violation);
    EXPECT_TRUE(here_.end->comes_to_fail());
}

TEST_F(VerbsFastRegionTest, NamesNothingOutsideOfItsBytes) {
    proves("NDK-QP-FREG-01");
    ASSERT_EQ(fast_register({0, 1}), Status::success);
    EXPECT_EQ(send(2 * kPageBytes - kFirstByte - 4, 8), Status::access_violation);
}

TEST_F(VerbsFastRegionTest, IsWrittenWithTheRightAlone) {
    proves("NDK-QP-FREG-02");
    ASSERT_EQ(fast_register({0}, Access::none), Status::success);
    EXPECT_EQ(send(0, 8), Status::success);
    ASSERT_EQ(post(here_, Operation::read, {named(0, 8)}), Status::success);
    EXPECT_EQ(outcome(here_), Status::access_violation);
}

TEST_F(VerbsFastRegionTest, IsRegisteredOnceAtATimeAndOutlivesItsQueuePair) {
    proves("NDK-QP-FREG-01", "NDK-QP-FREG-06");
    ASSERT_EQ(fast_register({0}), Status::success);
    EXPECT_EQ(fast_register({1}), Status::malformed_request);
    EXPECT_EQ(here_.pair->state(), QueuePairState::error);
    EXPECT_TRUE(here_.end->comes_to_fail());
    EXPECT_TRUE(region_->valid());
    EXPECT_EQ(invalidate(there_), Status::success);
    EXPECT_FALSE(region_->valid());
}

TEST_F(VerbsFastRegionTest, IsInvalidatedOnce) {
    proves("NDK-QP-INV-03");
    ASSERT_EQ(fast_register({0}), Status::success);
    ASSERT_EQ(invalidate(here_), Status::success);
    EXPECT_EQ(invalidate(here_), Status::malformed_request);
    EXPECT_EQ(here_.pair->state(), QueuePairState::error);
}

// Neither has executed.
TEST_F(VerbsFastRegionTest, ChangesThatAreFlushedChangeNothing) {
    proves("NDK-QP-FREG-06");
    ASSERT_EQ(fast_register({0}), Status::success);
    fake_.hold();
    ASSERT_EQ(post_subject(here_, Operation::invalidate, region_.get()), Status::success);
    ASSERT_EQ(post_register({1}), Status::success);
    here_.pair->flush();
    EXPECT_EQ(outcome(here_), Status::canceled);
    EXPECT_TRUE(region_->valid());
    ASSERT_EQ(post_subject(there_, Operation::invalidate, region_.get()), Status::success);
    there_.pair->flush();
    EXPECT_TRUE(region_->valid());
}

TEST_F(VerbsFastRegionTest, AChangeThatIsNotPostedChangesNothing) {
    proves("NDK-QP-FREG-04");
    fake_.post_error = ENOMEM;
    EXPECT_EQ(post_register({0}), Status::queue_full);
    ASSERT_EQ(fast_register({1}), Status::success);
    fake_.post_error = ENOMEM;
    EXPECT_EQ(post_subject(here_, Operation::invalidate, region_.get()), Status::queue_full);
    EXPECT_EQ(send(0, 8), Status::success);
}

TEST_F(VerbsFastRegionTest, IsFreeForGoodOnceClosed) {
    proves("NDK-MR-REG-06");
    ASSERT_EQ(fast_register({0}), Status::success);
    const Ref<TransportFastRegion> other = adapter_->create_fast_region().take();
    EXPECT_NE(other->local_token(), region_->local_token());
    other->close();
    EXPECT_FALSE(other->valid());
    EXPECT_FALSE(adapter_->names_fast_region(other->local_token()));
    EXPECT_EQ(post_subject(here_, Operation::invalidate, other.get()), Status::success);
    EXPECT_EQ(outcome(here_), Status::malformed_request);
}

TEST_F(VerbsFastRegionTest, IsFreeForGoodThoughItsRegistrationCompletesLater) {
    proves("NDK-MR-REG-06");
    fake_.hold();
    ASSERT_EQ(post_register({1}), Status::success);
    region_->close();
    fake_.run();
    EXPECT_EQ(outcome(here_), Status::success);
    EXPECT_FALSE(region_->valid());
    EXPECT_EQ(post_register({2}), Status::success);
    EXPECT_EQ(outcome(here_), Status::malformed_request);
    region_ = adapter_->create_fast_region().take();
}

TEST_F(VerbsFastRegionTest, AReadDoesNotEndIt) {
    proves("NDK-QP-READ-04");
    ASSERT_EQ(fast_register({0}), Status::success);
    EXPECT_FALSE(can_.traits.ends_regions_by_reads);
    EXPECT_EQ(post(here_, Operation::read, {named(0, 8)}, RequestFlags::local_invalidate), Status::not_supported);
    EXPECT_NE(std::string_view(last_failure().limit).find("fake0"), std::string_view::npos);
}

TEST_F(VerbsFastRegionTest, SharedReceivesMayLieInIt) {
    proves("NDK-MAP-10");
    struct Sink final : SharedReceiveQueueSink {
        void on_low() override {}
        void on_failed() override {}
    } sink;
    ASSERT_EQ(fast_register({0, 2}), Status::success);
    const auto shared = adapter_->create_shared_receive_queue({4, 1, 0}, sink).take();
    const Sge good = named(0, 8);
    const Sge parted = named(0, 2 * kPageBytes - kFirstByte);
    EXPECT_EQ(shared->post(nullptr, {&good, 1}), Status::success);
    EXPECT_EQ(shared->post(nullptr, {&parted, 1}), Status::insufficient_resources);
    shared->close();
}

// ---- a device that pages on demand ----------------------------------------------------------------------------------

class OnDemandFastRegionTest : public DataPathTest {
protected:
    OnDemandFastRegionTest() { fake_.pages_on_demand = true; }
};

TEST_F(OnDemandFastRegionTest, EntriesGetTheKeyOfAllMemory) {
    proves("NDK-MAP-10");
    connect_both();
    const auto region = adapter_->create_fast_region().take();
    alignas(kPageBytes) static std::array<std::byte, kPageBytes> page{};
    std::memcpy(page.data() + 24, "to send", 8);
    const auto address = reinterpret_cast<std::uint64_t>(page.data());
    const auto registration = region->prepare({{&address, 1}, 16, kBase, 64}, Access::local_write, Reach::local);
    WorkRequest request{Operation::fast_register, RequestFlags::silent_success, nullptr, {}};
    request.extra = registration.get();
    ASSERT_EQ(here_.pair->post(request), Status::success);
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    const Sge entry{reinterpret_cast<std::byte*>(kBase + 8), 8, region->local_token()};
    ASSERT_EQ(post(here_, Operation::send, {entry}), Status::success);
    EXPECT_EQ(here_.poll().at(0).status, Status::success);
    EXPECT_STREQ(reinterpret_cast<const char*>(there_.memory.data()), "to send");
    region->close();
}

}  // namespace
}  // namespace opennd::verbs
