// SPDX-License-Identifier: MIT
#include "core/request/pending_requests.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/lock.h"
#include "support/requirement.h"
#include "unit/core/recording_request.h"

namespace opennd {
namespace {

using support::proves;

TEST(PendingRequests, CompleteInOrderOfSubmission) {
    proves("ND2-OVL-12", "ND2-CQ-NTF-10");
    RequestRecord a, b, c;
    std::vector<RequestRecord*> order;
    PendingRequests pending;
    InFlight in_flight;
    pending.add(recording(a, &order), RequestKind::notify_any);
    pending.add(recording(b, &order), RequestKind::notify_solicited);
    pending.add(recording(c, &order), RequestKind::notify_any);
    {
        CompletionBatch batch(in_flight);
        pending.take(RequestKind::every, Status::canceled, batch);
        EXPECT_TRUE(order.empty()) << "completed while the lock would be held";
    }
    EXPECT_EQ(order, (std::vector{&a, &b, &c}));
    EXPECT_EQ(b.outcome(), Status::canceled);
    EXPECT_FALSE(pending.has(RequestKind::every));
}

TEST(PendingRequests, TakesOnlyTheKindsAskedFor) {
    RequestRecord a, b, c;
    PendingRequests pending;
    InFlight in_flight;
    pending.add(recording(a), RequestKind::notify_errors);
    pending.add(recording(b), RequestKind::notify_any);
    pending.add(recording(c), RequestKind::notify_errors);
    {
        CompletionBatch batch(in_flight);
        pending.take(RequestKind::notify_any | RequestKind::notify_solicited, Status::success, batch);
    }
    EXPECT_EQ(b.outcome(), Status::success);
    EXPECT_TRUE(a.pending());
    EXPECT_TRUE(c.pending());
    CompletionBatch batch(in_flight);
    pending.take(RequestKind::every, Status::canceled, batch);
}

TEST(PendingRequests, KeepTheirOwnOutcomesInOneBatch) {
    RequestRecord a, b;
    PendingRequests pending;
    InFlight in_flight;
    pending.add(recording(a), RequestKind::accept);
    pending.add(recording(b), RequestKind::notify_disconnect);
    {
        CompletionBatch batch(in_flight);
        pending.take(RequestKind::accept, Status::connection_refused, batch);
        pending.take(RequestKind::every, Status::disconnected, batch);
    }
    EXPECT_EQ(a.outcome(), Status::connection_refused);
    EXPECT_EQ(b.outcome(), Status::disconnected);
}

// After wait_until_idle() the requests' memory may be freed.
TEST(PendingRequests, AreNotTouchedAfterTheWait) {
    proves("ND2-COM-10", "ND2-OVL-15");
    constexpr int kRounds = 2000;
    for (int round = 0; round < kRounds; ++round) {
        Mutex mutex;
        PendingRequests pending;
        InFlight in_flight;
        auto record = std::make_unique<RequestRecord>();
        pending.add(recording(*record), RequestKind::connect);
        const auto finish = [&](Status status) {
            CompletionBatch batch(in_flight);
            const Held lock(mutex);
            pending.take(RequestKind::every, status, batch);
        };
        std::thread other([&] { finish(Status::success); });
        finish(Status::canceled);
        in_flight.wait_until_idle();
        ASSERT_EQ(record->completed, 1);
        record.reset();
        other.join();
    }
}

}  // namespace
}  // namespace opennd
