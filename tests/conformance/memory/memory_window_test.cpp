// SPDX-License-Identifier: MIT
//
// Memory windows: the rights of a binding, their holder, their beginning, and everything that ends them. Requirements
// ND2-MW-*. window_rules_test.cpp has the rules for binding and invalidating.
#include <atomic>
#include <cstring>
#include <optional>
#include <set>
#include <thread>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/sizes.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

constexpr unsigned kAllowBoth = kAllowRead | kAllowWrite;

// The peer of b is a; b binds, a reads and writes.
class WindowData : public DataTest {
protected:
    // Memory of b without any remote right, so that only a window opens it.
    ConnectedPair& pair(unsigned rights = kLocalWrite) {
        pair_.emplace(connected(kMiB));
        fill_with(pair_->b.memory.bytes(), std::byte{0xEE});
        region_ = registered(*pair_->b.adapter, pair_->b.memory.data(), kMiB, rights);
        window_ = pair_->b.adapter->create_memory_window();
        return *pair_;
    }

    Outcome bind(Tag tag, std::size_t offset, std::size_t bytes, unsigned flags) {
        return pair_->b.queue_pair->bind(tag, *region_, *window_, pair_->b.memory.data() + offset, bytes, flags);
    }
    void bind_now(std::size_t offset, std::size_t bytes, unsigned flags = kAllowBoth) {
        ASSERT_EQ(bind(1, offset, bytes, flags), Outcome::success);
        ASSERT_TRUE(reports(*pair_->b.initiated, RequestKind::bind, 1, Outcome::success));
    }
    void invalidate_now() {
        ASSERT_EQ(pair_->b.queue_pair->invalidate(2, *window_, kNoFlags), Outcome::success);
        ASSERT_TRUE(reports(*pair_->b.initiated, RequestKind::invalidate, 2, Outcome::success));
    }
    Remote target(std::size_t offset) const { return {pair_->b.remote(offset).address, window_->remote_token()}; }
    void expect_refused(RequestKind kind) {
        EXPECT_TRUE(reports(*pair_->a.initiated, kind, 3, Outcome::access_violation));
        EXPECT_TRUE(is_filled_with(pair_->b.memory.bytes(), std::byte{0xEE}));
    }
    void expect_write_refused(const Remote& to, std::size_t bytes = 64) {
        ASSERT_EQ(pair_->a.write(3, 0, bytes, to), Outcome::success);
        expect_refused(RequestKind::write);
    }

    std::optional<ConnectedPair> pair_;  // outlives the objects on its memory
    std::unique_ptr<MemoryRegion> region_;
    std::unique_ptr<MemoryWindow> window_;
};

TEST_P(WindowData, GivesThePeerExactlyItsPartOfTheRegion) {
    proves("ND2-ADP-MW-01", "ND2-MW-02", "ND2-MW-04", "ND2-QP-BIND-02", "ND2-MR-TOK-02");
    auto& pair = this->pair();
    for (const auto& [offset, bytes] :
         {std::pair<std::size_t, std::size_t>{0, kMiB}, {4096, 1}, {1000, 5000}, {1, 40'000}}) {
        SCOPED_TRACE(testing::Message() << offset << " + " << bytes);
        bind_now(offset, bytes);
        fill_pattern(pair.a.bytes(0, bytes), bytes);
        ASSERT_EQ(pair.a.write(3, 0, bytes, target(offset)), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 3, Outcome::success));
        ASSERT_TRUE(has_pattern(pair.b.bytes(offset, bytes), bytes));
        fill_with(pair.a.bytes(0, bytes), std::byte{0});
        ASSERT_EQ(pair.a.read(4, 0, bytes, target(offset)), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::read, 4, Outcome::success));
        ASSERT_TRUE(has_pattern(pair.a.bytes(0, bytes), bytes));
        invalidate_now();
    }
}

TEST_P(WindowData, RefusesOneByteBeforeIt) {
    if (const char* const why = support::lacks(support::Ability::bounds_of_windows)) GTEST_SKIP() << why;
    proves("ND2-MW-02", "ND2-QP-RDMA-03");
    pair();
    bind_now(4096, 4096);
    expect_write_refused(target(4095));
}

TEST_P(WindowData, RefusesOneByteBeyondIt) {
    if (const char* const why = support::lacks(support::Ability::bounds_of_windows)) GTEST_SKIP() << why;
    proves("ND2-MW-02", "ND2-QP-RDMA-03");
    auto& pair = this->pair();
    bind_now(4096, 4096);
    ASSERT_EQ(pair.a.write(3, 0, 4097, target(4096)), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 3, Outcome::access_violation));
    // Of a message in several segments the last one alone is refused: within the window there may be anything.
    EXPECT_TRUE(is_filled_with(pair.b.bytes(0, 4096), std::byte{0xEE}));
    EXPECT_TRUE(is_filled_with(pair.b.bytes(8192, kMiB - 8192), std::byte{0xEE}));
}

TEST_P(WindowData, ForReadingRefusesToBeWritten) {
    proves("ND2-QP-BIND-02", "ND2-QP-RDMA-03");
    auto& pair = this->pair();
    bind_now(0, 4096, kAllowRead);
    ASSERT_EQ(pair.a.read(4, 0, 4096, target(0)), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::read, 4, Outcome::success));
    EXPECT_TRUE(is_filled_with(pair.a.bytes(0, 4096), std::byte{0xEE}));
    expect_write_refused(target(0));
}

TEST_P(WindowData, ForWritingRefusesToBeRead) {
    proves("ND2-QP-BIND-02", "ND2-QP-RDMA-03");
    auto& pair = this->pair();
    bind_now(0, 4096, kAllowWrite);
    ASSERT_EQ(pair.a.read(3, 0, 64, target(0)), Outcome::success);
    expect_refused(RequestKind::read);
}

TEST_P(WindowData, ForNothingIsAcceptedAndGrantsNothing) {
    proves("ND2-QP-BIND-03");
    pair();
    bind_now(0, 4096, kNoFlags);
    EXPECT_NE(window_->remote_token(), 0u);
    expect_write_refused(target(0));
}

TEST_P(WindowData, ReadsSendOnlyMemory) {
    proves("ND2-QP-BIND-02");
    auto& pair = this->pair(kSendOnly);
    EXPECT_EQ(bind(1, 0, 4096, kAllowWrite), Outcome::access_violation);
    EXPECT_EQ(bind(1, 0, 4096, kAllowBoth), Outcome::access_violation);
    bind_now(0, 4096, kAllowRead);
    ASSERT_EQ(pair.a.read(4, 0, 4096, target(0)), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::read, 4, Outcome::success));
}

TEST_P(WindowData, InvalidatedRefusesThePeer) {
    proves("ND2-QP-INV-03", "ND2-MW-01");
    pair();
    EXPECT_EQ(window_->remote_token(), 0u) << "unbound at creation";
    bind_now(0, 4096);
    const Remote dead = target(0);
    invalidate_now();
    EXPECT_EQ(window_->remote_token(), 0u);
    expect_write_refused(dead);
}

TEST_P(WindowData, ReleasedRefusesThePeer) {
    proves("ND2-MW-05", "ND2-MW-06");
    pair();
    bind_now(0, 4096);
    const Remote dead = target(0);
    window_.reset();
    expect_write_refused(dead);
}

TEST_P(WindowData, EndsWithItsRegion) {
    proves("ND2-MW-05", "ND2-MR-REL-01");
    pair();
    bind_now(0, 4096);
    const Remote dead = target(0);
    region_.reset();
    EXPECT_EQ(window_->remote_token(), 0u);
    expect_write_refused(dead);
}

TEST_P(WindowData, BelongsToTheConnectionItWasBoundOn) {
    proves("ND2-MW-03");
    auto& pair = this->pair();
    bind_now(0, 4096);
    // Another connection between the same two adapters.
    EndpointOptions options;
    options.memory = memory();
    ConnectedPair other(driver(), options, options);
    auto queue_pair = pair.b.adapter->create_queue_pair(*pair.b.received, *pair.b.initiated, {});
    auto connector = pair.b.adapter->create_connector();
    auto listener = listening(*pair.b.adapter);
    ASSERT_EQ(other.a.connector->disconnect().wait(), Outcome::success);
    auto stranger = other.a.adapter->create_queue_pair(*other.a.received, *other.a.initiated, {});
    auto dialer = other.a.adapter->create_connector();
    ASSERT_EQ(dialer->bind(local_address()), Outcome::success);
    const Operation request = listener->get_request(*connector);
    const Operation connect = dialer->connect(*stranger, address_of(*listener), {}, {});
    ASSERT_EQ(request.wait(), Outcome::success);
    const Operation accept = connector->accept(*queue_pair, {}, {});
    ASSERT_EQ(connect.wait(), Outcome::success);
    ASSERT_EQ(dialer->complete_connect().wait(), Outcome::success);
    ASSERT_EQ(accept.wait(), Outcome::success);

    const Sge sge = other.a.piece(0, 64);
    ASSERT_EQ(stranger->write(3, {&sge, 1}, target(0), kNoFlags), Outcome::success);
    EXPECT_TRUE(reports(*other.a.initiated, RequestKind::write, 3, Outcome::access_violation));
    EXPECT_TRUE(is_filled_with(pair.b.memory.bytes(), std::byte{0xEE}));
    ASSERT_EQ(pair.a.write(4, 0, 64, target(0)), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 4, Outcome::success)) << "its own peer may";
}

TEST_P(WindowData, WindowsOverOneRegionOverlapAndDiffer) {
    proves("ND2-MW-02");
    auto& pair = this->pair();
    bind_now(0, 8192, kAllowRead);
    auto second = pair.b.adapter->create_memory_window();
    ASSERT_EQ(pair.b.queue_pair->bind(5, *region_, *second, pair.b.memory.data() + 4096, 8192, kAllowWrite),
              Outcome::success);
    ASSERT_TRUE(reports(*pair.b.initiated, RequestKind::bind, 5, Outcome::success));
    EXPECT_NE(second->remote_token(), window_->remote_token());
    fill_pattern(pair.a.bytes(0, 4096), 5);
    ASSERT_EQ(pair.a.write(3, 0, 4096, {pair.b.remote(4096).address, second->remote_token()}), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 3, Outcome::success));
    ASSERT_EQ(pair.a.read(4, 8192, 4096, target(4096)), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::read, 4, Outcome::success));
    EXPECT_TRUE(has_pattern(pair.a.bytes(8192, 4096), 5));
}

// The token is sent in the request right behind the Bind, and the peer uses it as soon as it sees it.
TEST_P(WindowData, IsInForceWhenASendBehindTheBindArrives) {
    proves("ND2-QP-BIND-04", "ND2-MW-04", "ND2-QP-INV-04", "IW-RDMAP-13");
    auto& pair = this->pair();
    for (Tag round = 0; round < 200; ++round) {
        SCOPED_TRACE(round);
        const std::size_t offset = (round % 16) * 4096;
        ASSERT_EQ(pair.a.receive(10, 0, 64), Outcome::success);
        ASSERT_EQ(bind(11, offset, 4096, kAllowBoth), Outcome::success);
        const std::uint32_t token = window_->remote_token();
        std::memcpy(pair.b.memory.data() + kMiB - 64, &token, sizeof token);
        ASSERT_EQ(pair.b.send(12, kMiB - 64, sizeof token), Outcome::success);
        ASSERT_TRUE(reports_received(*pair.a.received, 10, sizeof token));
        std::uint32_t received = 0;
        std::memcpy(&received, pair.a.memory.data(), sizeof received);
        fill_pattern(pair.a.bytes(4096, 4096), round);
        ASSERT_EQ(pair.a.write(13, 4096, 4096, {pair.b.remote(offset).address, received}), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 13, Outcome::success));
        ASSERT_TRUE(has_pattern(pair.b.bytes(offset, 4096), round));
        ASSERT_EQ(pair.b.queue_pair->invalidate(14, *window_, kNoFlags), Outcome::success);
        ASSERT_TRUE(reports_exactly(*pair.b.initiated, {11, 12, 14}, Outcome::success));
    }
}

// Bind and Invalidate in turns, all posted at once: each token once, in order.
TEST_P(WindowData, BindsAndInvalidatesMayBePipelined) {
    proves("ND2-QP-INV-04", "ND2-MW-04", "IW-RDMAP-13", "IW-RDMAP-45");
    auto& pair = this->pair();
    std::set<std::uint32_t> tokens;
    for (int round = 0; round < 50; ++round) {
        for (Tag tag = 0; tag < 16; tag += 2) {
            ASSERT_EQ(bind(tag, 0, 4096, kAllowBoth), Outcome::success);
            EXPECT_TRUE(tokens.insert(window_->remote_token()).second) << "each Bind gives a new token";
            ASSERT_EQ(pair.b.queue_pair->invalidate(tag + 1, *window_, kNoFlags), Outcome::success);
        }
        ASSERT_TRUE(reports_exactly(*pair.b.initiated, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                    Outcome::success));
    }
    EXPECT_EQ(window_->remote_token(), 0u);
    EXPECT_EQ(region_->withdraw().wait(), Outcome::success) << "nothing is bound any more";
}

// The peer writes without pause while the window is taken back: after the Invalidate's result nothing is written.
TEST_P(WindowData, NothingIsWrittenAfterTheInvalidatesResult) {
    provokes("CHECK-MEMORY-GONE");
    if (const char* const why = support::lacks(support::Ability::ends_windows_alone)) GTEST_SKIP() << why;
    proves("ND2-QP-INV-03");
    constexpr std::size_t kBytes = 256 * 1024;
    for (int round = 0; round < 8; ++round) {
        auto& pair = this->pair();
        bind_now(0, kBytes);
        const Remote open = target(0);
        std::atomic<bool> writing{false};
        std::thread writer([&] {
            for (Tag tag = 0; pair.a.write(tag, 0, kBytes, open) == Outcome::success; ++tag) {
                const Completion result = next(*pair.a.initiated);
                writing = true;
                if (result.outcome != Outcome::success) {
                    EXPECT_EQ(result.outcome, Outcome::access_violation);
                    break;
                }
            }
        });
        while (!writing) std::this_thread::yield();
        invalidate_now();
        fill_with(pair.b.bytes(0, kBytes), std::byte{0x77});
        writer.join();
        EXPECT_TRUE(is_filled_with(pair.b.bytes(0, kBytes), std::byte{0x77}));
    }
}

INSTANTIATE_TEST_SUITE_P(, WindowData, every_data_variant(), data_variant_name);

}  // namespace
}  // namespace opennd::conformance
