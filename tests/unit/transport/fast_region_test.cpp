// SPDX-License-Identifier: MIT
// Fast regions over each wire: the requests that register them, and all ends of a registration.
#include "transport/fast_region.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "connected_pair.h"
#include "scattered_memory.h"
#include "support/requirement.h"

namespace opennd::test {
namespace {

using support::proves;

constexpr std::uint64_t kBase = 0x40010;
constexpr std::uint32_t kFirst = 0x10;
constexpr std::uint32_t kBytes = 9000;
constexpr Access kAll = Access::local_write | Access::remote_read | Access::remote_write;

class FastPair : public testing::TestWithParam<WireKind> {
protected:
    FastPair() {
        for (std::size_t i = 0; i < kBytes; ++i) memory.at(kFirst + i) = static_cast<std::byte>(i * 31 >> 3);
    }
    ~FastPair() override { region->close(); }

    Status fast_register(Side& side, Access access = kAll, Reach reach = Reach::peers) {
        const auto registration = region->prepare(memory.list(kBase, kFirst, kBytes), access, reach);
        WorkRequest request{Operation::fast_register, RequestFlags::none, nullptr, {}};
        request.extra = registration.get();
        EXPECT_EQ(side.queue_pair->post(request), Status::success);
        const Completion completion = side.next();
        EXPECT_EQ(completion.operation, Operation::fast_register);
        return completion.status;
    }
    Status invalidate(Side& side) {
        WorkRequest request{Operation::invalidate, RequestFlags::none, nullptr, {}};
        request.extra = region.get();
        EXPECT_EQ(side.queue_pair->post(request), Status::success);
        const Completion completion = side.next();
        EXPECT_EQ(completion.operation, Operation::invalidate);
        return completion.status;
    }
    // The active side reads the region's memory.
    Status read() {
        sink.assign(kBytes, std::byte{0});
        const auto here = pair.active.adapter->register_memory(sink.data(), sink.size(), Access::local_write).take();
        const Sge target{sink.data(), kBytes, here->local_token()};
        WorkRequest request{Operation::read, RequestFlags::none, nullptr, {&target, 1}};
        request.remote_address = kBase;
        request.remote_token = region->remote_token();
        EXPECT_EQ(pair.active.queue_pair->post(request), Status::success);
        const Status status = pair.active.next().status;
        here->deregister();
        return status;
    }
    // The active side takes the registration away.
    Completion take_away(Token token) {
        EXPECT_EQ(pair.passive.queue_pair->post({Operation::receive, RequestFlags::none, nullptr, {}}),
                  Status::success);
        WorkRequest send{Operation::send_and_invalidate, RequestFlags::silent_success, nullptr, {}};
        send.remote_token = token;
        EXPECT_EQ(pair.active.queue_pair->post(send), Status::success);
        return pair.passive.next();
    }

    ConnectedPair pair{GetParam()};
    ScatteredMemory memory{4};
    std::vector<std::byte> sink;
    Ref<TransportFastRegion> region = pair.passive.adapter->create_fast_region().take();
};

TEST_P(FastPair, HasOneTokenForAllItsRegistrations) {
    proves("NDK-MR-FRMR-03", "NDK-QP-INV-01", "NDK-QP-INV-05");
    const Token local = region->local_token(), remote = region->remote_token();
    EXPECT_NE(local, Token::none);
    EXPECT_NE(remote, Token::none);
    for (int cycle = 0; cycle < 20; ++cycle) {
        EXPECT_FALSE(region->valid());
        ASSERT_EQ(fast_register(pair.passive), Status::success);
        EXPECT_TRUE(region->valid());
        ASSERT_EQ(read(), Status::success);
        ASSERT_EQ(sink, memory.read(kFirst, kBytes));
        ASSERT_EQ(invalidate(pair.passive), Status::success);
        EXPECT_EQ(region->local_token(), local);
        EXPECT_EQ(region->remote_token(), remote);
    }
}

TEST_P(FastPair, IsOutOfReachOnceInvalidated) {
    proves("NDK-QP-INV-01");
    ASSERT_EQ(fast_register(pair.passive), Status::success);
    ASSERT_EQ(invalidate(pair.passive), Status::success);
    EXPECT_NE(read(), Status::success);
    EXPECT_EQ(sink, std::vector<std::byte>(kBytes));
}

TEST_P(FastPair, IsOutOfThePeersReachWithoutRights) {
    proves("NDK-QP-FREG-02");
    ASSERT_EQ(fast_register(pair.passive, Access::local_write), Status::success);
    EXPECT_NE(read(), Status::success);
}

TEST_P(FastPair, IsRegisteredOnceAtATime) {
    proves("NDK-QP-FREG-01");
    ASSERT_EQ(fast_register(pair.passive), Status::success);
    EXPECT_EQ(fast_register(pair.passive), Status::malformed_request);
    EXPECT_EQ(pair.passive.queue_pair->state(), QueuePairState::error);
    EXPECT_TRUE(region->valid());
}

TEST_P(FastPair, OutlivesItsQueuePairAndEndsOnAnother) {
    proves("NDK-QP-FREG-06");
    ASSERT_EQ(fast_register(pair.passive), Status::success);
    EXPECT_EQ(fast_register(pair.passive), Status::malformed_request);
    EXPECT_TRUE(region->valid());
    ConnectedPair other(GetParam());
    EXPECT_EQ(invalidate(other.passive), Status::success);
    EXPECT_FALSE(region->valid());
}

TEST_P(FastPair, IsInvalidatedOnce) {
    proves("NDK-QP-INV-03");
    ASSERT_EQ(fast_register(pair.passive), Status::success);
    ASSERT_EQ(invalidate(pair.passive), Status::success);
    EXPECT_EQ(invalidate(pair.passive), Status::malformed_request);
    EXPECT_EQ(pair.passive.queue_pair->state(), QueuePairState::error);
}

TEST_P(FastPair, MayBeUsedByRequestsBehindItsRegistration) {
    proves("NDK-QP-FREG-04");
    sink.assign(kBytes, std::byte{0});
    const auto there = pair.active.adapter->register_memory(sink.data(), sink.size(), Access::local_write).take();
    const Sge receive{sink.data(), kBytes, there->local_token()};
    ASSERT_EQ(pair.active.queue_pair->post({Operation::receive, RequestFlags::none, nullptr, {&receive, 1}}),
              Status::success);
    const auto registration = region->prepare(memory.list(kBase, kFirst, kBytes), Access::none, Reach::local);
    WorkRequest request{Operation::fast_register, RequestFlags::silent_success, nullptr, {}};
    request.extra = registration.get();
    ASSERT_EQ(pair.passive.queue_pair->post(request), Status::success);
    const Sge send{reinterpret_cast<std::byte*>(kBase), kBytes, region->local_token()};
    ASSERT_EQ(pair.passive.queue_pair->post({Operation::send, RequestFlags::none, nullptr, {&send, 1}}),
              Status::success);
    EXPECT_EQ(pair.active.next().length_bytes, kBytes);
    EXPECT_EQ(pair.passive.next().operation, Operation::send);
    EXPECT_EQ(sink, memory.read(kFirst, kBytes));
    there->deregister();
}

TEST_P(FastPair, IsTakenAwayByAMessageThatSaysSo) {
    proves("NDK-QP-SINV-01", "NDK-QP-SINV-04", "NDK-CQ-POLL-06");
    for (int cycle = 0; cycle < 5; ++cycle) {
        ASSERT_EQ(fast_register(pair.passive), Status::success);
        const Completion received = take_away(region->remote_token());
        ASSERT_EQ(received.status, Status::success);
        EXPECT_EQ(received.operation, Operation::receive);
        EXPECT_EQ(received.invalidated, region->remote_token());
        EXPECT_FALSE(region->valid());
    }
    EXPECT_EQ(invalidate(pair.passive), Status::malformed_request);
}

TEST_P(FastPair, AMessageTakesNothingAway) {
    proves("NDK-CQ-POLL-06");
    ASSERT_EQ(pair.passive.queue_pair->post({Operation::receive, RequestFlags::none, nullptr, {}}), Status::success);
    ASSERT_EQ(pair.active.queue_pair->post({Operation::send, RequestFlags::none, nullptr, {}}), Status::success);
    EXPECT_EQ(pair.passive.next().invalidated, Token::none);
}

TEST_P(FastPair, CannotBeTakenAwayWhereItIsNotThePeers) {
    proves("NDK-QP-SINV-03");
    ASSERT_EQ(fast_register(pair.passive, Access::local_write, Reach::local), Status::success);
    EXPECT_EQ(take_away(region->remote_token()).status, Status::malformed_request);
    EXPECT_TRUE(region->valid());
    EXPECT_EQ(pair.active.sink->disconnected.wait(), Status::connection_aborted);
}

TEST_P(FastPair, CannotBeTakenAwayTwice) {
    proves("NDK-QP-SINV-03");
    ASSERT_EQ(fast_register(pair.passive), Status::success);
    ASSERT_EQ(take_away(region->remote_token()).status, Status::success);
    EXPECT_EQ(take_away(region->remote_token()).status, Status::malformed_request);
    EXPECT_EQ(pair.passive.sink->disconnected.wait(), Status::connection_aborted);
}

TEST_P(FastPair, ARegionIsNotTakenAway) {
    proves("NDK-QP-SINV-03");
    std::vector<std::byte> plain(64);
    const auto there = pair.passive.adapter->register_memory(plain.data(), plain.size(), kAll).take();
    EXPECT_EQ(take_away(there->remote_token()).status, Status::malformed_request);
    there->deregister();
}

TEST_P(FastPair, EndsWithTheReadIntoIt) {
    proves("NDK-QP-READ-04");
    std::vector<std::byte> shown(kBytes, std::byte{7});
    const auto there = pair.active.adapter->register_memory(shown.data(), shown.size(), Access::remote_read).take();
    ASSERT_EQ(fast_register(pair.passive, Access::local_write), Status::success);
    ASSERT_TRUE(pair.passive.adapter->names_fast_region(region->local_token()));
    EXPECT_FALSE(pair.passive.adapter->names_fast_region(region->remote_token()));
    const Sge target{reinterpret_cast<std::byte*>(kBase), kBytes, region->local_token()};
    WorkRequest request{Operation::read, RequestFlags::local_invalidate, nullptr, {&target, 1}};
    request.remote_address = reinterpret_cast<std::uint64_t>(shown.data());
    request.remote_token = there->remote_token();
    ASSERT_EQ(pair.passive.queue_pair->post(request), Status::success);
    const Completion completion = pair.passive.next();
    EXPECT_EQ(completion.status, Status::success);
    EXPECT_EQ(completion.operation, Operation::read);
    EXPECT_FALSE(region->valid());
    EXPECT_EQ(memory.read(kFirst, kBytes), shown);
    ASSERT_EQ(fast_register(pair.passive), Status::success);
    there->deregister();
}

TEST_P(FastPair, StaysWhereTheReadIntoItFails) {
    proves("NDK-QP-READ-04");
    ASSERT_EQ(fast_register(pair.passive, Access::local_write), Status::success);
    const Sge target{reinterpret_cast<std::byte*>(kBase), kBytes, region->local_token()};
    WorkRequest request{Operation::read, RequestFlags::local_invalidate, nullptr, {&target, 1}};
    request.remote_token = static_cast<Token>(77);
    ASSERT_EQ(pair.passive.queue_pair->post(request), Status::success);
    EXPECT_NE(pair.passive.next().status, Status::success);
    EXPECT_TRUE(region->valid());
}

// After the end of a registration its memory stays untouched, while the peer goes on writing.
TEST_P(FastPair, NothingIsWrittenThroughADeadToken) {
    proves("NDK-QP-INV-04");
    ASSERT_EQ(fast_register(pair.passive), Status::success);
    std::vector<std::byte> source(kBytes, std::byte{0x5a});
    const auto here = pair.active.adapter->register_memory(source.data(), source.size(), Access::none).take();
    const Sge from{source.data(), kBytes, here->local_token()};
    WorkRequest write{Operation::write, RequestFlags::none, nullptr, {&from, 1}};
    write.remote_address = kBase;
    write.remote_token = region->remote_token();
    std::atomic<bool> written{false};
    std::thread peer([&] {
        for (Status status = Status::success; ok(status);) {
            if (!ok(pair.active.queue_pair->post(write))) break;
            status = pair.active.next().status;
            written = written || ok(status);
        }
    });
    while (!written) std::this_thread::yield();
    EXPECT_EQ(invalidate(pair.passive), Status::success);
    memory.write(kFirst, std::vector<std::byte>(kBytes));
    peer.join();
    EXPECT_EQ(memory.read(kFirst, kBytes), std::vector<std::byte>(kBytes));
    here->deregister();
}

INSTANTIATE_TEST_SUITE_P(Wires, FastPair, testing::Values(WireKind::loopback, WireKind::shm, WireKind::iwarp),
                         [](const auto& each) { return name(each.param); });

class OtherOpen : public testing::TestWithParam<WireKind> {
protected:
    ConnectedPair pair{GetParam(), {64, 64, 4, 4, 256}, std::nullopt, {false, true}};
};

TEST_P(OtherOpen, AConnectionUsesTheMemoryOfItsQueuePairsAdapter) {
    proves("NDK-QP-CREATE-03", "NDK-CONS-09");
    std::vector<std::byte> from(20000, std::byte{9}), to(20000);
    const auto source = pair.active.adapter->register_memory(from.data(), from.size(), Access::none).take();
    const auto target = pair.passive.adapter->register_memory(to.data(), to.size(), kAll).take();
    const Sge send{from.data(), 20000, source->local_token()}, receive{to.data(), 20000, target->local_token()};
    WorkRequest write{Operation::write, RequestFlags::none, nullptr, {&send, 1}};
    write.remote_address = reinterpret_cast<std::uint64_t>(to.data());
    write.remote_token = target->remote_token();
    ASSERT_EQ(pair.active.queue_pair->post(write), Status::success);
    EXPECT_EQ(pair.active.next().status, Status::success);
    EXPECT_EQ(from, to);
    ASSERT_EQ(pair.passive.queue_pair->post({Operation::receive, RequestFlags::none, nullptr, {&receive, 1}}),
              Status::success);
    ASSERT_EQ(pair.active.queue_pair->post({Operation::send, RequestFlags::none, nullptr, {&send, 1}}),
              Status::success);
    EXPECT_EQ(pair.passive.next().length_bytes, 20000u);
    EXPECT_EQ(pair.active.next().status, Status::success);
    source->deregister();
    target->deregister();
}

INSTANTIATE_TEST_SUITE_P(Wires, OtherOpen, testing::Values(WireKind::loopback, WireKind::shm, WireKind::iwarp),
                         [](const auto& each) { return name(each.param); });

}  // namespace
}  // namespace opennd::test
