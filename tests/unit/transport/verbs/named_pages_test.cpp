// SPDX-License-Identifier: MIT
// NDK's privileged token on a device without on-demand paging: requests name memory by address, within mappings that live.
#include "transport/verbs/device/named_pages.h"

#include <cstring>

#include "model/page_list.h"
#include "unit/transport/verbs/data_path_test.h"

namespace opennd::verbs {
namespace {

constexpr std::size_t kNamedPages = 4;

class NamedPagesTest : public DataPathTest {
protected:
    NamedPagesTest() {
        everything_ = adapter_->register_address_space().take();
        regions_before_ = fake_.counts().regions;
    }

    Ref<RefCounted> name(std::initializer_list<std::size_t> pages) {
        std::vector<std::uint64_t> addresses;
        for (const std::size_t page : pages)
            addresses.push_back(reinterpret_cast<std::uint64_t>(memory_.data()) + page * kPageBytes);
        return adapter_->name_pages(addresses).take();
    }
    Sge by_address(std::size_t at, std::uint32_t bytes) {
        return {memory_.data() + at, bytes, everything_->local_token()};
    }
    Status send(std::size_t at, std::uint32_t bytes) {
        EXPECT_EQ(post(there_, Operation::receive, {there_.entry(0, 4096)}), Status::success);
        EXPECT_EQ(post(here_, Operation::send, {by_address(at, bytes)}), Status::success);
        const auto results = here_.poll();
        return results.empty() ? Status::would_block : results[0].status;
    }

    alignas(kPageBytes) std::array<std::byte, kNamedPages * kPageBytes> memory_{};
    Ref<TransportMemory> everything_;
    int regions_before_ = 0;
};

TEST_F(NamedPagesTest, ARequestNamesThemByAddress) {  // NDK-PD-02, NDK-PD-05, NDK-LAM-11
    connect_both();
    const Ref<RefCounted> mapping = name({0, 1});
    std::memcpy(memory_.data() + 4090, "to send", 8);
    EXPECT_EQ(send(4090, 8), Status::success);
    EXPECT_STREQ(reinterpret_cast<const char*>(there_.memory.data()), "to send");
    ASSERT_EQ(post(here_, Operation::receive, {by_address(8, 8)}), Status::success);
    ASSERT_EQ(post(there_, Operation::send, {there_.entry(0, 8)}), Status::success);
    EXPECT_EQ(here_.poll().size(), 1u);
    EXPECT_STREQ(reinterpret_cast<const char*>(memory_.data() + 8), "to send");
}

// One registration for each run and open, however many requests; none before the first, none after the mapping.
TEST_F(NamedPagesTest, ARunIsRegisteredOnce) {
    connect_both();
    const int others = fake_.counts().regions;
    Ref<RefCounted> mapping = name({0, 1, 3});
    EXPECT_EQ(fake_.counts().regions, others);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(send(100, 8), Status::success);
    EXPECT_EQ(fake_.counts().regions, others + 1);
    EXPECT_EQ(send(3 * kPageBytes, 8), Status::success);
    EXPECT_EQ(fake_.counts().regions, others + 2);
    mapping = nullptr;
    EXPECT_EQ(fake_.counts().regions, others);
}

TEST_F(NamedPagesTest, MemoryOutsideIsRefused) {  // NDK-PD-05
    connect_both();
    const Ref<RefCounted> mapping = name({0, 2});
    EXPECT_EQ(send(kPageBytes - 4, 8), Status::access_violation) << "page 1 has no name";
    EXPECT_TRUE(here_.end->comes_to_fail());
}

TEST_F(NamedPagesTest, NothingIsNamedAfterItsMapping) {  // NDK-LAM-09
    connect_both();
    name({0, 1}) = nullptr;
    EXPECT_EQ(send(0, 8), Status::access_violation);
}

TEST_F(NamedPagesTest, MappingsMayOverlap) {
    connect_both();
    const Ref<RefCounted> all = name({0, 1, 2, 3});
    Ref<RefCounted> part = name({1});
    Ref<RefCounted> again = name({1});
    EXPECT_EQ(send(kPageBytes, 2 * kPageBytes - 4096), Status::success);
    part = nullptr;
    EXPECT_EQ(send(kPageBytes, 8), Status::success);
    again = nullptr;
    EXPECT_EQ(send(kPageBytes + 8, 8), Status::success) << "by the longer one, which begins before";
}

TEST_F(NamedPagesTest, EachOpenHasItsOwnRegistrations) {
    connect_both();
    auto other = VerbsAdapter::create(device_, can_, rule_).take();
    const auto token = other->register_address_space().take()->local_token();
    EXPECT_EQ(token, kByAddress);
    Ref<RefCounted> mapping = name({0});
    EXPECT_EQ(send(0, 8), Status::success);
    const int before = fake_.counts().regions;
    Sge entry = by_address(0, 8);
    EXPECT_EQ(device_->named_pages().translate(*other, {&entry, 1}), Status::success);
    EXPECT_NE(entry.token, kByAddress);
    EXPECT_EQ(fake_.counts().regions, before + 1);
    other = nullptr;
    mapping = nullptr;
    EXPECT_EQ(fake_.counts().regions, before - 1);
}

// The device is asked once, and the answer holds for every open of it.
TEST_F(NamedPagesTest, ADeviceWithoutOnDemandPagingIsAskedOnce) {
    const int before = fake_.counts().region_requests;
    auto other = VerbsAdapter::create(device_, can_, rule_).take();
    for (int i = 0; i < 3; ++i) EXPECT_NE(name({0, 1}), nullptr);
    fake_.pages_on_demand = true;
    EXPECT_EQ(other->register_address_space().take()->local_token(), kByAddress) << "as the first open's";
    EXPECT_EQ(fake_.counts().region_requests, before);
}

// A token of OpenND's own, for this side alone: no peer has it.
TEST_F(NamedPagesTest, TheTokenIsNobodysKey) {  // NDK-PD-02, NDK-PD-03
    EXPECT_EQ(regions_before_, 0);
    EXPECT_TRUE(adapter_->translates());
    EXPECT_NE(everything_->remote_token(), everything_->local_token());
}

// ---- a device that pages on demand ----------------------------------------------------------------------------------

class OnDemandPagesTest : public DataPathTest {
protected:
    OnDemandPagesTest() { fake_.pages_on_demand = true; }

    const std::uint64_t page_ = kPageBytes;
};

TEST_F(OnDemandPagesTest, AKeyOfTheDeviceNamesAllMemory) {  // NDK-PD-02, NDK-PD-05
    const Ref<TransportMemory> everything = adapter_->register_address_space().take();
    EXPECT_NE(everything->local_token(), kByAddress);
    EXPECT_FALSE(adapter_->translates());
    connect_both();
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    ASSERT_EQ(post(here_, Operation::send, {{here_.memory.data(), 8, everything->local_token()}}), Status::success);
    EXPECT_EQ(here_.poll().at(0).status, Status::success);
    everything->deregister();
}

// A registration of all memory is a system call, and a mapping may serve one request alone.
TEST_F(OnDemandPagesTest, AMappingRegistersNothing) {  // NDK-LAM-11
    const Ref<TransportMemory> everything = adapter_->register_address_space().take();
    const int before = fake_.counts().region_requests;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(adapter_->name_pages({&page_, 1}).take(), nullptr) << "no names are needed";
    EXPECT_EQ(fake_.counts().region_requests, before);
    everything->deregister();
}

TEST_F(OnDemandPagesTest, TheFirstMappingAsksTheDevice) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(adapter_->name_pages({&page_, 1}).take(), nullptr);
    EXPECT_EQ(fake_.counts().region_requests, 1);
    EXPECT_EQ(fake_.counts().regions, 0);
}

}  // namespace
}  // namespace opennd::verbs
