// SPDX-License-Identifier: MIT
//
// Memory windows: when they may be bound and invalidated, and the objects that each binding keeps busy. Requirements
// ND2-MW-*, ND2-QP-BIND-*, ND2-QP-INV-*, ND2-MR-DEREG-01.
#include "conformance/vocabulary/fixture.h"

namespace opennd::conformance {
namespace {

class Window : public ConformanceTest {};

TEST_P(Window, CanBeBoundOnceAtATime) {
    proves("ND2-QP-BIND-01", "ND2-MW-02", "ND2-QP-INV-03");
    ConnectedPair pair(driver());
    auto window = pair.b.adapter->create_memory_window();
    const auto bind = [&](Tag tag) {
        return pair.b.queue_pair->bind(tag, *pair.b.region, *window, pair.b.memory.data(), 64, kAllowRead);
    };
    ASSERT_EQ(bind(1), Outcome::success);
    EXPECT_EQ(bind(2), Outcome::invalid_state);
    ASSERT_TRUE(reports_exactly(*pair.b.initiated, {1}, Outcome::success));
    EXPECT_EQ(bind(3), Outcome::invalid_state);
    ASSERT_EQ(pair.b.queue_pair->invalidate(4, *window, kNoFlags), Outcome::success);
    ASSERT_TRUE(reports_exactly(*pair.b.initiated, {4}, Outcome::success));
    EXPECT_EQ(bind(5), Outcome::success);
}

TEST_P(Window, KeepsItsRegionBusy) {
    proves("ND2-MR-DEREG-01", "ND2-QP-BIND-04", "ND2-AMB-38");
    ConnectedPair pair(driver());
    auto region = registered(*pair.b.adapter, pair.b.memory.data(), 4096, kLocalWrite);
    auto window = pair.b.adapter->create_memory_window();
    ASSERT_EQ(pair.b.queue_pair->bind(1, *region, *window, pair.b.memory.data(), 64, kAllowRead), Outcome::success);
    EXPECT_EQ(region->withdraw().begun(), Outcome::device_busy);
    ASSERT_TRUE(reports_exactly(*pair.b.initiated, {1}, Outcome::success));
    EXPECT_EQ(region->withdraw().begun(), Outcome::device_busy);
    EXPECT_NE(region->local_token(), 0u) << "a refused Deregister changes nothing";
    ASSERT_EQ(pair.b.queue_pair->invalidate(2, *window, kNoFlags), Outcome::success);
    ASSERT_TRUE(reports_exactly(*pair.b.initiated, {2}, Outcome::success));
    EXPECT_EQ(region->withdraw().wait(), Outcome::success);
}

TEST_P(Window, LetsGoOfItsRegionWhenReleased) {
    proves("ND2-MW-05", "ND2-MW-06");
    ConnectedPair pair(driver());
    auto region = registered(*pair.b.adapter, pair.b.memory.data(), 4096, kLocalWrite);
    auto window = pair.b.adapter->create_memory_window();
    ASSERT_EQ(pair.b.queue_pair->bind(1, *region, *window, pair.b.memory.data(), 64, kAllowRead), Outcome::success);
    window.reset();
    EXPECT_EQ(region->withdraw().wait(), Outcome::success);
    EXPECT_TRUE(reports_exactly(*pair.b.initiated, {1}, Outcome::success));
}

TEST_P(Window, StaysBoundToADisconnectedQueuePairUntilThatIsReleased) {
    proves("ND2-MW-07", "ND2-MW-05");
    ConnectedPair pair(driver());
    auto region = registered(*pair.b.adapter, pair.b.memory.data(), 4096, kLocalWrite);
    auto window = pair.b.adapter->create_memory_window();
    ASSERT_EQ(pair.b.queue_pair->bind(1, *region, *window, pair.b.memory.data(), 64, kAllowRead), Outcome::success);
    ASSERT_TRUE(reports_exactly(*pair.b.initiated, {1}, Outcome::success));
    ASSERT_EQ(pair.b.connector->disconnect().wait(), Outcome::success);
    EXPECT_EQ(region->withdraw().begun(), Outcome::device_busy);
    EXPECT_NE(window->remote_token(), 0u);
    pair.b.queue_pair.reset();
    EXPECT_EQ(window->remote_token(), 0u);
    EXPECT_EQ(region->withdraw().wait(), Outcome::success);
}

TEST_P(Window, FlushedBindLeavesItUnbound) {
    proves("ND2-QP-BIND-05");
    ConnectedPair pair(driver());
    auto region = registered(*pair.b.adapter, pair.b.memory.data(), 4096, kLocalWrite);
    auto window = pair.b.adapter->create_memory_window();
    ASSERT_EQ(pair.b.queue_pair->flush(), Outcome::success);
    ASSERT_EQ(pair.b.queue_pair->bind(1, *region, *window, pair.b.memory.data(), 64, kAllowRead), Outcome::success);
    ASSERT_TRUE(reports(*pair.b.initiated, RequestKind::bind, 1, Outcome::canceled));
    EXPECT_EQ(window->remote_token(), 0u);
    EXPECT_EQ(region->withdraw().wait(), Outcome::success);
}

// The Bind waits behind a Send that no receive takes, or was done already but not reported.
TEST_P(Window, BindFlushedBehindASendLeavesItUnbound) {
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-QP-BIND-05", "ND2-QP-FLUSH-01");
    ConnectedPair pair(driver());
    auto region = registered(*pair.b.adapter, pair.b.memory.data(), 4096, kLocalWrite);
    auto window = pair.b.adapter->create_memory_window();
    ASSERT_EQ(pair.b.send(1, 0, 64), Outcome::success);
    ASSERT_EQ(pair.b.queue_pair->bind(2, *region, *window, pair.b.memory.data(), 64, kAllowRead), Outcome::success);
    ASSERT_EQ(pair.b.queue_pair->flush(), Outcome::success);
    ASSERT_TRUE(reports_exactly(*pair.b.initiated, {1, 2}, Outcome::canceled));
    EXPECT_EQ(window->remote_token(), 0u);
    EXPECT_EQ(region->withdraw().wait(), Outcome::success);
}

TEST_P(Window, InvalidatedWhileUnboundEndsTheConnection) {
    proves("ND2-QP-INV-02", "ND2-AMB-49");
    ConnectedPair pair(driver());
    auto window = pair.b.adapter->create_memory_window();
    const Operation lost = pair.a.connector->notify_disconnect();
    ASSERT_EQ(pair.b.queue_pair->invalidate(1, *window, kNoFlags), Outcome::success);
    EXPECT_TRUE(reports(*pair.b.initiated, RequestKind::invalidate, 1, Outcome::invalid_request));
    EXPECT_EQ(lost.wait(), Outcome::success);
}

TEST_P(Window, InvalidatedTwiceEndsTheConnection) {
    proves("ND2-QP-INV-02");
    ConnectedPair pair(driver());
    auto window = pair.b.adapter->create_memory_window();
    ASSERT_EQ(pair.b.queue_pair->bind(1, *pair.b.region, *window, pair.b.memory.data(), 64, kAllowRead),
              Outcome::success);
    ASSERT_EQ(pair.b.queue_pair->invalidate(2, *window, kNoFlags), Outcome::success);
    ASSERT_EQ(pair.b.queue_pair->invalidate(3, *window, kNoFlags), Outcome::success);
    EXPECT_EQ(next(*pair.b.initiated).outcome, Outcome::success);
    EXPECT_EQ(next(*pair.b.initiated).outcome, Outcome::success);
    EXPECT_TRUE(reports(*pair.b.initiated, RequestKind::invalidate, 3, Outcome::invalid_request));
}

TEST_P(Window, InvalidatedOnAnotherQueuePairStaysBound) {
    proves("ND2-QP-INV-02");
    Handshake first(driver());
    first.connected();
    Endpoint& b = first.passive;
    auto window = b.adapter->create_memory_window();
    ASSERT_EQ(b.queue_pair->bind(1, *b.region, *window, b.memory.data(), 64, kAllowWrite), Outcome::success);
    ASSERT_TRUE(reports_exactly(*b.initiated, {1}, Outcome::success));

    auto other = b.adapter->create_queue_pair(*b.received, *b.initiated, {});
    auto connector = b.adapter->create_connector();
    Endpoint caller(driver(), {});
    const Operation request = first.listener->get_request(*connector);
    ASSERT_EQ(caller.connector->bind(local_address()), Outcome::success);
    const Operation connect = caller.connector->connect(*caller.queue_pair, first.address, {}, {});
    ASSERT_EQ(request.wait(), Outcome::success);
    const Operation accept = connector->accept(*other, {}, {});
    ASSERT_EQ(connect.wait(), Outcome::success);
    ASSERT_EQ(caller.connector->complete_connect().wait(), Outcome::success);
    ASSERT_EQ(accept.wait(), Outcome::success);

    ASSERT_EQ(other->invalidate(2, *window, kNoFlags), Outcome::success);
    EXPECT_TRUE(reports(*b.initiated, RequestKind::invalidate, 2, Outcome::invalid_request));
    ASSERT_EQ(first.active.write(3, 0, 64, {b.remote(0).address, window->remote_token()}), Outcome::success);
    EXPECT_TRUE(reports(*first.active.initiated, RequestKind::write, 3, Outcome::success));
}

TEST_P(Window, NeedsAConnectionToBeBound) {
    provokes("CHECK-BIND-EARLY");
    proves("ND2-QP-BIND-01", "ND2-QP-INV-01");
    Endpoint idle(driver(), {});
    auto window = idle.adapter->create_memory_window();
    EXPECT_EQ(idle.queue_pair->bind(1, *idle.region, *window, idle.memory.data(), 64, kAllowRead),
              Outcome::connection_invalid);
    EXPECT_EQ(idle.queue_pair->invalidate(2, *window, kNoFlags), Outcome::connection_invalid);
    EXPECT_EQ(window->remote_token(), 0u);
}

TEST_P(Window, RefusesARangeOutsideItsRegion) {
    proves("ND2-QP-BIND-01");
    ConnectedPair pair(driver());
    auto region = registered(*pair.b.adapter, pair.b.memory.data() + 4096, 4096, kLocalWrite);
    auto window =
        pair.b.adapter->create_memory_window();  // closed first: the region lasts as long as one that is bound to it
    const auto bind = [&](std::size_t offset, std::size_t bytes) {
        return pair.b.queue_pair->bind(1, *region, *window, pair.b.memory.data() + offset, bytes, kAllowRead);
    };
    EXPECT_EQ(bind(4095, 1), Outcome::invalid_parameter);
    EXPECT_EQ(bind(4096, 0), Outcome::invalid_parameter);
    EXPECT_EQ(bind(4096, 4097), Outcome::invalid_parameter);
    EXPECT_EQ(bind(8192, 1), Outcome::invalid_parameter);
    EXPECT_EQ(bind(4096, ~std::size_t{0}), Outcome::invalid_parameter);
    EXPECT_EQ(bind(4096, 4096), Outcome::success) << "after refusals the window is still free";
    ASSERT_TRUE(reports_exactly(*pair.b.initiated, {1}, Outcome::success));
    auto empty = pair.b.adapter->create_memory_region();
    auto second = pair.b.adapter->create_memory_window();
    EXPECT_EQ(pair.b.queue_pair->bind(1, *empty, *second, pair.b.memory.data(), 64, kAllowRead),
              Outcome::invalid_parameter);
}

TEST_P(Window, UsesTheQueueLikeAnyRequest) {
    proves("ND2-QP-BIND-01", "ND2-QP-INV-01", "ND2-QP-POST-06", "ND2-QP-POST-13");
    EndpointOptions options;
    options.queue_pair.initiator_depth = 2;
    ConnectedPair pair(driver(), options);
    auto first = pair.b.adapter->create_memory_window();
    auto second = pair.b.adapter->create_memory_window();
    const auto bind = [&](Tag tag, MemoryWindow& window, unsigned flags) {
        return pair.b.queue_pair->bind(tag, *pair.b.region, window, pair.b.memory.data(), 64, kAllowRead | flags);
    };
    ASSERT_EQ(bind(1, *first, kNoFlags), Outcome::success);
    ASSERT_EQ(pair.b.queue_pair->invalidate(2, *first, kNoFlags), Outcome::success);
    EXPECT_EQ(bind(3, *second, kNoFlags), Outcome::no_more_entries);
    EXPECT_EQ(pair.b.queue_pair->invalidate(3, *second, kNoFlags), Outcome::no_more_entries);
    ASSERT_TRUE(reports_exactly(*pair.b.initiated, {1, 2}, Outcome::success));
    ASSERT_EQ(bind(4, *second, kSilent), Outcome::success) << "a refused Bind leaves the window free";
    ASSERT_EQ(pair.b.queue_pair->invalidate(5, *second, kSilent), Outcome::success);
    ASSERT_EQ(bind(6, *second, kNoFlags), Outcome::success);
    EXPECT_TRUE(reports_exactly(*pair.b.initiated, {6}, Outcome::success));
}

TEST_P(Window, InvalidateBehindAFenceLetsEarlierReadsFinish) {
    proves("ND2-QP-POST-12", "ND2-QP-INV-04");
    ConnectedPair pair(driver());
    auto window = pair.b.adapter->create_memory_window();
    ASSERT_EQ(pair.b.queue_pair->bind(1, *pair.b.region, *window, pair.b.memory.data(), 64, kAllowRead),
              Outcome::success);
    ASSERT_EQ(pair.b.read(2, 0, 32 * 1024, pair.a.remote()), Outcome::success);
    ASSERT_EQ(pair.b.queue_pair->invalidate(3, *window, kReadFence), Outcome::success);
    EXPECT_TRUE(reports_exactly(*pair.b.initiated, {1, 2, 3}, Outcome::success));
}

// Both wait behind a Read; the second finds the window taken back by the first.
TEST_P(Window, InvalidatedTwiceBehindAFenceIsInvalidatedOnce) {
    proves("ND2-QP-INV-02", "ND2-QP-POST-12");
    ConnectedPair pair(driver());
    auto window = pair.b.adapter->create_memory_window();
    ASSERT_EQ(pair.b.queue_pair->bind(1, *pair.b.region, *window, pair.b.memory.data(), 64, kAllowRead),
              Outcome::success);
    ASSERT_EQ(pair.b.read(2, 0, 32 * 1024, pair.a.remote()), Outcome::success);
    ASSERT_EQ(pair.b.queue_pair->invalidate(3, *window, kReadFence), Outcome::success);
    ASSERT_EQ(pair.b.queue_pair->invalidate(4, *window, kReadFence), Outcome::success);
    for (Tag tag = 1; tag < 4; ++tag) EXPECT_EQ(next(*pair.b.initiated).outcome, Outcome::success) << tag;
    EXPECT_TRUE(reports(*pair.b.initiated, RequestKind::invalidate, 4, Outcome::invalid_request));
}

TEST_P(Window, ABindThatFindsTheQueueFullLeavesItsRegionFree) {
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-QP-POST-01", "ND2-QP-BIND-01", "ND2-MR-DEREG-01");
    EndpointOptions options;
    options.queue_pair.initiator_depth = 1;
    ConnectedPair pair(driver(), options);
    auto region = registered(*pair.b.adapter, pair.b.memory.data(), 4096, kLocalWrite);
    auto window = pair.b.adapter->create_memory_window();
    ASSERT_EQ(pair.b.send(1, 0, 64), Outcome::success);  // there is no receive: it keeps its slot
    EXPECT_EQ(pair.b.queue_pair->bind(2, *region, *window, pair.b.memory.data(), 64, kAllowRead),
              Outcome::no_more_entries);
    EXPECT_EQ(region->withdraw().wait(), Outcome::success);
}

TEST_P(Window, MayBeBoundByThePassiveSideAsSoonAsItAccepted) {
    proves("ND2-QP-BIND-06");
    Handshake handshake(driver());
    handshake.connected();
    Endpoint& passive = handshake.passive;
    auto window = passive.adapter->create_memory_window();
    ASSERT_EQ(passive.queue_pair->bind(1, *passive.region, *window, passive.memory.data(), 64, kAllowRead),
              Outcome::success);
    EXPECT_TRUE(reports_exactly(*passive.initiated, {1}, Outcome::success));
}

INSTANTIATE_TEST_SUITE_P(, Window, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
