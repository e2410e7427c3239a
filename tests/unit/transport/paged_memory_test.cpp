// SPDX-License-Identifier: MIT
// Memory that is named by an index into pages, over each wire: the effects of this side's and the peer's requests.
#include "transport/soft/memory/paged_memory.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "connected_pair.h"
#include "scattered_memory.h"
#include "support/requirement.h"

namespace opennd::test {
namespace {

using support::proves;

TEST(PagedMemory, IsAnIndexIntoItsPages) {
    proves("NDK-QP-FREG-01");
    const std::vector<std::uint64_t> pages{0xA000, 0x7000};
    const soft::PagedMemory memory({pages, 0x10, 0x40010, 0x1800}, Access::none, true);
    EXPECT_EQ(memory.stretch(0x40010, 0x1800).address, 0xA010u);
    EXPECT_EQ(memory.stretch(0x40010, 0x1800).bytes, 0xFF0u);
    EXPECT_EQ(memory.stretch(0x41000, 1).address, 0x7000u);
    EXPECT_TRUE(memory.covers(0x40010, 0x1800));
    EXPECT_TRUE(memory.covers(0x4180F, 1));
    EXPECT_FALSE(memory.covers(0x41810, 1));
    EXPECT_FALSE(memory.covers(0x4000F, 1));
    EXPECT_FALSE(memory.covers(0x40010, 0x1801));
    EXPECT_FALSE(memory.covers(0x40011, ~std::uint64_t{0}));
}

TEST(PagedMemory, TakesNeighboursTogether) {
    const std::vector<std::uint64_t> pages{0x5000, 0x6000, 0x7000, 0x2000};
    const soft::PagedMemory memory({pages, 0, 0, 4 * kPageBytes}, Access::none, false);
    EXPECT_EQ(memory.stretch(0, 4 * kPageBytes).bytes, 3 * kPageBytes);
    EXPECT_EQ(memory.stretch(100, 50).bytes, 50u);
    EXPECT_EQ(memory.stretch(3 * kPageBytes, 7).address, 0x2000u);
    const soft::PagedMemory part = memory.part(kPageBytes + 5, 2 * kPageBytes, Access::remote_read);
    EXPECT_EQ(part.stretch(kPageBytes + 5, 1).address, 0x6005u);
    EXPECT_EQ(part.stretch(3 * kPageBytes, 5).address, 0x2000u);
    EXPECT_FALSE(part.covers(kPageBytes, 1));
    EXPECT_EQ(part.access(), Access::remote_read);
}

WorkRequest make(Operation operation, const Sge& sge) {
    WorkRequest request;
    request.operation = operation;
    request.sges = {&sge, 1};
    return request;
}

std::vector<std::byte> pattern(std::size_t bytes, std::size_t seed) {
    std::vector<std::byte> data(bytes);
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>((i * 131 + seed * 7 + (i >> 8)) & 0xff);
    return data;
}

Sge entry(std::uint64_t from, std::size_t bytes, Token token) {
    return {reinterpret_cast<std::byte*>(from), static_cast<std::uint32_t>(bytes), token};
}

class PagedPair : public testing::TestWithParam<WireKind> {
protected:
    static constexpr Access kAll = Access::local_write | Access::remote_read | Access::remote_write;
    static constexpr std::size_t kSizes[] = {1, 96, 5000, 16384, 16385, 300000};
    static constexpr std::uint64_t kBase = 0xdead'beef'0000'0123;  // no address
    static constexpr std::uint32_t kFirst = 0x123;

    Completion post(Side& side, const WorkRequest& request) {
        EXPECT_EQ(side.queue_pair->post(request), Status::success);
        return side.next();
    }
    // One completion of each side; one thread polls for both.
    void exchange(Completion& active, Completion& passive) {
        bool have_active = false, have_passive = false;
        for (int i = 0; i < 1 << 28 && !(have_active && have_passive); ++i) {
            have_active = have_active || pair.active.completions->poll({&active, 1}) == 1;
            have_passive = have_passive || pair.passive.completions->poll({&passive, 1}) == 1;
        }
        ASSERT_TRUE(have_active && have_passive);
    }

    ConnectedPair pair{GetParam()};
};

TEST_P(PagedPair, SendsFromPagesIntoPages) {
    proves("NDK-MR-REG-01", "NDK-MR-REG-02");
    for (const std::size_t bytes : kSizes) {
        const ScatteredMemory from(80), to(80);
        const auto data = pattern(bytes, bytes);
        from.write(kFirst, data);
        const auto source = pair.active.adapter->register_pages(from.list(kBase, kFirst, bytes), Access::none).take();
        const auto target = pair.passive.adapter->register_pages(to.list(5, 0, bytes), Access::local_write).take();
        const Sge receive = entry(5, bytes, target->local_token()), send = entry(kBase, bytes, source->local_token());
        ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::receive, receive)), Status::success);
        ASSERT_EQ(pair.active.queue_pair->post(make(Operation::send, send)), Status::success);
        Completion sent, received;
        exchange(sent, received);
        EXPECT_EQ(sent.status, Status::success) << bytes;
        ASSERT_EQ(received.status, Status::success) << bytes;
        EXPECT_EQ(received.length_bytes, bytes);
        EXPECT_EQ(to.read(0, bytes), data) << bytes;
        source->deregister();
        target->deregister();
    }
}

TEST_P(PagedPair, PeersWriteAndReadPages) {
    proves("NDK-MR-REG-03", "NDK-MR-REG-04");
    for (const std::size_t bytes : kSizes) {
        const ScatteredMemory remote(80), local(80);
        auto data = pattern(bytes, bytes);
        local.write(0, data);
        const auto there = pair.passive.adapter->register_pages(remote.list(kBase, kFirst, 300001), kAll).take();
        const auto here = pair.active.adapter->register_pages(local.list(0, 0, 300001), Access::local_write).take();
        const Sge source = entry(0, bytes, here->local_token());
        WorkRequest write = make(Operation::write, source);
        write.remote_address = kBase + 1;
        write.remote_token = there->remote_token();
        ASSERT_EQ(post(pair.active, write).status, Status::success) << bytes;
        WorkRequest read = write;
        read.operation = Operation::read;
        local.write(0, pattern(bytes, 1));
        ASSERT_EQ(post(pair.active, read).status, Status::success) << bytes;
        EXPECT_EQ(remote.read(kFirst + 1, bytes), data) << bytes;
        EXPECT_EQ(local.read(0, bytes), data) << bytes;
        EXPECT_EQ(remote.at(kFirst), std::byte{0});
        EXPECT_EQ(remote.at(kFirst + 1 + bytes), std::byte{0});
        there->deregister();
        here->deregister();
    }
}

TEST_P(PagedPair, NoPeerPassesTheirEnd) {
    proves("NDK-MR-REG-03");
    const ScatteredMemory remote(4), local(4);
    const auto there = pair.passive.adapter->register_pages(remote.list(kBase, kFirst, 8000), kAll).take();
    const auto here = pair.active.adapter->register_pages(local.list(0, 0, 9000), Access::local_write).take();
    const Sge source = entry(0, 8000, here->local_token());
    WorkRequest read = make(Operation::read, source);
    read.remote_address = kBase + 1;
    read.remote_token = there->remote_token();
    EXPECT_NE(post(pair.active, read).status, Status::success);
    EXPECT_EQ(local.read(0, 8000), std::vector<std::byte>(8000));
    there->deregister();
    here->deregister();
}

TEST_P(PagedPair, NoPeerHasARightThatWasNotGiven) {
    proves("NDK-MR-REG-03");
    const ScatteredMemory remote(4), local(4);
    local.write(0, pattern(100, 1));
    const auto there =
        pair.passive.adapter->register_pages(remote.list(0, 0, 8000), Access::local_write | Access::remote_read).take();
    const auto here = pair.active.adapter->register_pages(local.list(0, 0, 9000), Access::none).take();
    const Sge source = entry(0, 100, here->local_token());
    WorkRequest write = make(Operation::write, source);
    write.remote_token = there->remote_token();
    EXPECT_NE(post(pair.active, write).status, Status::success);
    EXPECT_EQ(remote.read(0, 100), std::vector<std::byte>(100));
    there->deregister();
    here->deregister();
}

TEST_P(PagedPair, RequestsStayWithinThem) {
    proves("NDK-QP-POST-07");
    const ScatteredMemory local(2);
    const auto here = pair.active.adapter->register_pages(local.list(kBase, kFirst, 5000), Access::none).take();
    const Sge source = entry(kBase + 1, 5000, here->local_token());
    EXPECT_EQ(post(pair.active, make(Operation::send, source)).status, Status::access_violation);
    here->deregister();
}

TEST_P(PagedPair, AReceiveNeedsTheRightToWriteThem) {
    proves("NDK-QP-RECV-01");
    const ScatteredMemory local(2);
    const auto here = pair.passive.adapter->register_pages(local.list(0, 0, 5000), Access::remote_write).take();
    const Sge target = entry(0, 5000, here->local_token());
    ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::receive, target)), Status::success);
    ASSERT_EQ(pair.active.queue_pair->post(make(Operation::send, {})), Status::success);
    EXPECT_EQ(pair.passive.next().status, Status::access_violation);
    here->deregister();
}

TEST_P(PagedPair, AWindowGivesAPartOfThem) {
    proves("NDK-MW-03");
    const ScatteredMemory remote(4);
    remote.write(0, pattern(9000, 3));
    const auto region = pair.passive.adapter->register_pages(remote.list(kBase, 0, 9000), Access::local_write).take();
    const auto binding = pair.passive.adapter
                             ->bind_window(*pair.passive.queue_pair, *region, reinterpret_cast<std::byte*>(kBase + 100),
                                           5000, Access::remote_read, {})
                             .take();
    WorkRequest bind{Operation::bind, RequestFlags::none, nullptr, {}};
    bind.extra = binding.get();
    ASSERT_EQ(post(pair.passive, bind).status, Status::success);
    auto sink = std::vector<std::byte>(5000);
    const auto here = pair.active.adapter->register_memory(sink.data(), sink.size(), Access::local_write).take();
    const Sge target = entry(reinterpret_cast<std::uint64_t>(sink.data()), 5000, here->local_token());
    WorkRequest read = make(Operation::read, target);
    read.remote_address = kBase + 100;
    read.remote_token = binding->remote_token();
    ASSERT_EQ(post(pair.active, read).status, Status::success);
    EXPECT_EQ(sink, remote.read(100, 5000));
    read.remote_address = kBase + 99;
    EXPECT_NE(post(pair.active, read).status, Status::success);
    binding->end();
    region->deregister();
    here->deregister();
}

TEST_P(PagedPair, TheWholeAddressSpaceIsThisSidesAlone) {
    proves("NDK-PD-02", "NDK-PD-03", "NDK-PD-04");
    for (const std::size_t bytes : kSizes) {
        auto from = pattern(bytes, bytes), to = std::vector<std::byte>(bytes), back = std::vector<std::byte>(bytes);
        const auto ours = pair.active.adapter->register_address_space().take();
        const auto theirs = pair.passive.adapter->register_address_space().take();
        EXPECT_NE(ours->local_token(), Token::none);
        const Sge receive = entry(reinterpret_cast<std::uint64_t>(to.data()), bytes, theirs->local_token());
        const Sge send = entry(reinterpret_cast<std::uint64_t>(from.data()), bytes, ours->local_token());
        ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::receive, receive)), Status::success);
        ASSERT_EQ(pair.active.queue_pair->post(make(Operation::send, send)), Status::success);
        Completion sent, received;
        exchange(sent, received);
        EXPECT_EQ(sent.status, Status::success);
        EXPECT_EQ(received.status, Status::success);
        EXPECT_EQ(from, to) << bytes;
        const auto shown = pair.passive.adapter->register_memory(to.data(), to.size(), Access::remote_read).take();
        const Sge sink = entry(reinterpret_cast<std::uint64_t>(back.data()), bytes, ours->local_token());
        WorkRequest read = make(Operation::read, sink);
        read.remote_address = reinterpret_cast<std::uint64_t>(to.data());
        read.remote_token = shown->remote_token();
        EXPECT_EQ(post(pair.active, read).status, Status::success);
        EXPECT_EQ(from, back) << bytes;
        for (const auto& memory : {ours, theirs, shown}) memory->deregister();
    }
}

TEST_P(PagedPair, NoPeerReachesTheWholeAddressSpace) {
    proves("NDK-PD-02");
    auto memory = pattern(64, 1), sink = std::vector<std::byte>(64);
    const auto theirs = pair.passive.adapter->register_address_space().take();
    const auto here = pair.active.adapter->register_memory(sink.data(), sink.size(), Access::local_write).take();
    const Sge target = entry(reinterpret_cast<std::uint64_t>(sink.data()), 64, here->local_token());
    WorkRequest read = make(Operation::read, target);
    read.remote_address = reinterpret_cast<std::uint64_t>(memory.data());
    read.remote_token = theirs->remote_token();
    EXPECT_NE(post(pair.active, read).status, Status::success);
    EXPECT_EQ(sink, std::vector<std::byte>(64));
    theirs->deregister();
    here->deregister();
}

INSTANTIATE_TEST_SUITE_P(Wires, PagedPair, testing::Values(WireKind::loopback, WireKind::shm, WireKind::iwarp),
                         [](const auto& each) { return name(each.param); });

}  // namespace
}  // namespace opennd::test
