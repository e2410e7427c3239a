// SPDX-License-Identifier: MIT
// Watched queues over ones that a test scripts: the program's contexts come back, times count once, and nothing is kept for ever.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "support/no_new_memory.h"
#include "transport/watch/completion_queue.h"
#include "transport/watch/queue_pair.h"
#include "transport/watch/watch.h"

namespace opennd::watch {
namespace {

constexpr std::uint32_t kInterface = 3;

class ScriptedQueue final : public TransportCompletionQueue {
public:
    std::size_t poll(std::span<Completion> completions) override {
        std::size_t count = 0;
        for (; count < completions.size() && !results.empty(); ++count) {
            completions[count] = results.front();
            results.pop_front();
        }
        return count;
    }
    void arm(NotifyKind) override {}
    void disarm() override {}
    WaitingCompletions count_waiting() override { return {results.size(), 0}; }
    Status resize(std::uint32_t) override { return Status::success; }
    void close() override {}

    std::deque<Completion> results;
};

class ScriptedPair final : public TransportQueuePair {
public:
    Status post(const WorkRequest& request) override {
        if (ok(answer)) posted.push_back(request);
        return answer;
    }
    void flush() override {}
    void end(Status) override {}
    void end_soon(Status) override {}
    bool heard() const override { return false; }
    void close() override {}
    QueuePairState state() const override { return QueuePairState::attached; }
    QueuePairUse use() override {
        QueuePairUse use;
        if (!posted.empty()) use.oldest = OldestRequest{posted[0].operation, 0, posted[0].context, true};
        return use;
    }

    std::vector<WorkRequest> posted;
    Status answer = Status::success;
};

class WatchedQueueTest : public testing::Test {
protected:
    WatchedQueueTest() { results_->keep(book_); }

    static void* context(std::uintptr_t number) { return reinterpret_cast<void*>(number); }

    Status post(Operation operation, std::uintptr_t number, RequestFlags flags = RequestFlags::none) {
        return pair_->post({.operation = operation, .flags = flags, .context = context(number), .sges = {}});
    }
    // The request that was posted with this number completes.
    void complete(std::size_t which, Status status = Status::success) {
        const WorkRequest& request = scripted_pair_->posted.at(which);
        Completion result;
        result.status = status;
        result.operation = request.operation;
        result.request_context = request.context;
        result.queue_pair_context = book_.get();
        scripted_results_->results.push_back(result);
    }
    std::optional<Completion> poll() {
        std::array<Completion, 1> taken;
        return results_->poll(taken) == 1 ? std::optional(taken[0]) : std::nullopt;
    }
    std::uint64_t counted(Operation operation) const {
        for (const Latencies::Told& each : watch_.latencies().read(kInterface))
            if (each.operation == operation && each.wire == "shm" && each.face == Face::nd1) return each.counts.count;
        return 0;
    }

    Watch watch_{Options{.latencies = true, .events = 3}, nullptr};
    Ref<RequestBook> book_ = watch_.make_book("queue pair", context(4711), Face::nd1);
    Ref<ScriptedPair> scripted_pair_ = make_ref<ScriptedPair>();
    Ref<ScriptedQueue> scripted_results_ = make_ref<ScriptedQueue>();
    Ref<WatchedQueuePair> pair_ =
        make_ref<WatchedQueuePair>(watch_, book_, nullptr, kInterface, Face::nd1, scripted_pair_, nullptr);
    Ref<WatchedCompletionQueue> results_ = make_ref<WatchedCompletionQueue>(watch_, scripted_results_, nullptr);
};

TEST_F(WatchedQueueTest, PutsTheProgramsContextsBackInAnyOrder) {
    ASSERT_EQ(post(Operation::send, 71), Status::success);
    ASSERT_EQ(post(Operation::receive, 72), Status::success);
    complete(1);
    complete(0);
    const auto first = poll(), second = poll();
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->request_context, context(72));
    EXPECT_EQ(second->request_context, context(71));
    EXPECT_EQ(first->queue_pair_context, context(4711));
}

TEST_F(WatchedQueueTest, CountsARequestThatSucceededOnce) {
    pair_->connects_over("shm");
    ASSERT_EQ(post(Operation::send, 1), Status::success);
    ASSERT_EQ(post(Operation::send, 2), Status::success);
    complete(0);
    complete(1, Status::canceled);
    (void)poll();
    (void)poll();
    EXPECT_EQ(counted(Operation::send), 1u);
    EXPECT_EQ(counted(Operation::receive), 0u);
}

TEST_F(WatchedQueueTest, CountsNothingBeforeThereIsAWire) {
    ASSERT_EQ(post(Operation::receive, 1), Status::success);
    complete(0);
    ASSERT_TRUE(poll());
    EXPECT_TRUE(watch_.latencies().read(kInterface).empty());
}

TEST_F(WatchedQueueTest, CountsForNoOtherWireWhereItsOwnHasNoMemory) {
    if (!support::NoNewMemory::kIsPossible) GTEST_SKIP() << "the sanitizer takes memory, too";
    pair_->connects_over("shm");  // which came to nothing
    {
        std::vector<std::unique_ptr<std::byte[]>> rest;
        rest.reserve(100'000);
        const support::NoNewMemory none;
        // Each call may look for room elsewhere.
        for (int failures = 0; failures < 100 && rest.size() < rest.capacity();) {
            std::unique_ptr<std::byte[]> more(new (std::nothrow) std::byte[sizeof(WireLatencies) / 2]);
            if (more)
                rest.push_back(std::move(more));
            else
                ++failures;
        }
        ASSERT_LT(rest.size(), rest.capacity());
        pair_->connects_over("iwarp");
    }
    ASSERT_EQ(post(Operation::send, 1), Status::success);
    complete(0);
    ASSERT_TRUE(poll());
    EXPECT_TRUE(watch_.latencies().read(kInterface).empty());
}

TEST_F(WatchedQueueTest, LeavesAResultThatNobodyPostedAlone) {
    Completion invalidation;
    invalidation.operation = Operation::remote_invalidation;
    invalidation.request_context = context(9);
    invalidation.queue_pair_context = book_.get();
    scripted_results_->results.push_back(invalidation);
    const auto taken = poll();
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->request_context, context(9));
    EXPECT_EQ(taken->queue_pair_context, context(4711));
}

TEST_F(WatchedQueueTest, TellsTheAgeOfTheOldestAndItsContext) {
    ASSERT_EQ(post(Operation::write, 5), Status::success);
    const QueuePairUse use = pair_->use();
    ASSERT_TRUE(use.oldest && use.oldest->age);
    EXPECT_EQ(use.oldest->context, context(5));
    EXPECT_GE(use.oldest->age->count(), 0);
    complete(0);
    ASSERT_TRUE(poll());
    // The queue pair's half of the look is older than the result.
    EXPECT_FALSE(pair_->use().oldest);
}

TEST_F(WatchedQueueTest, KeepsTheNewestEvents) {
    ASSERT_EQ(post(Operation::send, 1), Status::success);
    complete(0, Status::timed_out);
    ASSERT_TRUE(poll());
    scripted_pair_->answer = Status::queue_full;
    EXPECT_EQ(post(Operation::send, 2), Status::queue_full);
    const RequestBook::Events told = book_->events();
    EXPECT_EQ(told.left_out, 1u);  // the first post
    ASSERT_EQ(told.kept.size(), 3u);
    EXPECT_EQ(told.kept[0].what, RequestEvent::What::result);
    EXPECT_EQ(told.kept[0].status, Status::timed_out);
    EXPECT_EQ(told.kept[0].context, context(1));
    EXPECT_EQ(told.kept[1].what, RequestEvent::What::posted);
    EXPECT_EQ(told.kept[2].what, RequestEvent::What::refused);
    EXPECT_EQ(told.kept[2].status, Status::queue_full);
}

// Their places go to later requests: none grows without end.
TEST_F(WatchedQueueTest, ForgetsSilentRequestsWithASuccessBehindThem) {
    ASSERT_EQ(post(Operation::send, 1, RequestFlags::silent_success), Status::success);
    ASSERT_EQ(post(Operation::send, 2), Status::success);
    complete(1);
    ASSERT_TRUE(poll());
    EXPECT_FALSE(book_->age_of(scripted_pair_->posted[0].context));
}

// The silent one fails too, and its result may be taken by another thread later.
TEST_F(WatchedQueueTest, KeepsSilentRequestsBeforeAFailure) {
    ASSERT_EQ(post(Operation::send, 1, RequestFlags::silent_success), Status::success);
    ASSERT_EQ(post(Operation::send, 2), Status::success);
    complete(1, Status::canceled);
    ASSERT_TRUE(poll());
    complete(0, Status::timed_out);
    const auto taken = poll();
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->request_context, context(1));
}

TEST_F(WatchedQueueTest, ForgetsAQueuePairOnceItsResultsAreTaken) {
    ASSERT_EQ(post(Operation::send, 1), Status::success);
    complete(0, Status::canceled);
    pair_->close();
    results_->keep(watch_.make_book("queue pair", nullptr, Face::nd1));
    EXPECT_EQ(poll()->request_context, context(1)) << "the book was kept for it";
    EXPECT_FALSE(poll());  // empty
    const RequestBook* const name = book_.get();
    EXPECT_TRUE(results_->keeps(name));
    results_->keep(watch_.make_book("queue pair", nullptr, Face::nd1));
    EXPECT_FALSE(results_->keeps(name));
}

TEST_F(WatchedQueueTest, TellsTheEventsOfQueuesThatClosedLast) {
    book_->set_number(17);
    ASSERT_EQ(post(Operation::send, 1), Status::success);
    pair_->close();
    ASSERT_EQ(watch_.events().size(), 1u);
    EXPECT_TRUE(watch_.events()[0].ended);
    EXPECT_EQ(watch_.events()[0].number, 17u);
    for (std::size_t i = 0; i < Watch::kMostEnded; ++i) watch_.end(*watch_.make_book("queue pair", nullptr, Face::nd1));
    EXPECT_EQ(watch_.events().size(), Watch::kMostEnded);
    for (const Watch::QueueEvents& each : watch_.events()) EXPECT_EQ(each.number, 0u);
}

TEST_F(WatchedQueueTest, TellsWhichThreadPolled) {
    EXPECT_FALSE(results_->poller());
    EXPECT_FALSE(poll());
    ASSERT_TRUE(results_->poller());
    EXPECT_GT(results_->poller()->thread, 0);
    EXPECT_FALSE(results_->poller()->since_result);
    ASSERT_EQ(post(Operation::send, 1), Status::success);
    complete(0);
    ASSERT_TRUE(poll());
    EXPECT_TRUE(results_->poller()->since_result);
}

}  // namespace
}  // namespace opennd::watch
