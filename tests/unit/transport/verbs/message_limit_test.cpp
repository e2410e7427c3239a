// SPDX-License-Identifier: MIT
// A message that finds no receive at the peer, where the hardware repeats it without end.
#include "base/explanation.h"
#include "support/requirement.h"
#include "unit/transport/verbs/data_path_test.h"

namespace opennd::verbs {
namespace {

using std::chrono::milliseconds;
using support::proves;

// The connection of a queue pair, of which the peer's host answers.
struct AnsweringEnd final : ConnectionEnd {
    void queue_pair_failed() override { ++failed; }
    void queue_pair_closed() override {}
    void queue_pair_stands() override {
        ++asked;
        pair->peer_answered();
    }
    HardwareQueuePair* pair = nullptr;
    std::atomic<int> failed{0}, asked{0};
};

class MessageLimitTest : public DataPathTest {
protected:
    MessageLimitTest() {
        make(here_);
        make(there_);
        fake_.connect(here_.pair->number(), there_.pair->number());
        answering_->pair = here_.pair.get();
        connect(there_);
    }

    void attach(const std::optional<MessageLimit>& limit = MessageLimit{milliseconds{40}, milliseconds{5}}) {
        ASSERT_TRUE(here_.pair->begin_attempt(this));
        ibv_qp_attr attributes{};
        attributes.qp_state = IBV_QPS_RTS;
        ASSERT_EQ(here_.pair->modify(attributes, IBV_QP_STATE), Status::success);
        ASSERT_TRUE(here_.pair->attach(answering_, {16, 16}, Start::now, limit));
    }
    bool fails() const {
        return support::wait_until([this] { return answering_->failed != 0; });
    }

    const Ref<AnsweringEnd> answering_ = make_ref<AnsweringEnd>();
};

TEST_F(MessageLimitTest, EndsTheConnectionAndIsReportedOnce) {
    proves("ND2-QP-SEND-05", "ND2-QP-ERR-01");
    attach();
    std::vector<std::string> rules;
    set_failure_sink(
        [](void* seen, const Failure& failure) {
            static_cast<std::vector<std::string>*>(seen)->emplace_back(std::string_view(failure.requirement));
        },
        &rules);
    for (std::uintptr_t i = 1; i <= 3; ++i)
        ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}, RequestFlags::none, i), Status::success);
    ASSERT_TRUE(fails());
    set_failure_sink(nullptr, nullptr);
    EXPECT_EQ(rules, (std::vector<std::string>{"ND2-QP-SEND-05"}));
    here_.pair->end(Status::canceled);
    const auto results = here_.poll_all();
    ASSERT_EQ(results.size(), 3u);
    EXPECT_EQ(results[0].status, Status::timed_out);
    EXPECT_EQ(results[1].status, Status::canceled);
    EXPECT_EQ(results[2].status, Status::canceled);
    EXPECT_EQ(answering_->asked, 1);
}

TEST_F(MessageLimitTest, IsNotReachedByMessagesThatArrive) {
    attach();
    for (int round = 0; round < 3; ++round) {
        ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}), Status::success);
        ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
        EXPECT_EQ(there_.poll().at(0).status, Status::success);
    }
    // Nobody has polled: the watch finds the results, and rests.
    EXPECT_TRUE(support::wait_until([this] { return here_.pair->use().requests == 0; }));
    EXPECT_EQ(here_.poll().size(), 3u);
    EXPECT_EQ(answering_->failed, 0);
}

TEST_F(MessageLimitTest, HoldsForASilentMessageToo) {
    proves("ND2-QP-SEND-05");
    attach();
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}, RequestFlags::silent_success), Status::success);
    ASSERT_TRUE(fails());
    here_.pair->end(Status::canceled);
    const auto results = here_.poll_all();
    ASSERT_EQ(results.size(), 1u) << "the request that OpenND posted makes none";
    EXPECT_EQ(results[0].status, Status::timed_out);
}

TEST_F(MessageLimitTest, IsNotReachedByASilentMessageThatHasArrived) {
    attach();
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}, RequestFlags::silent_success), Status::success);
    EXPECT_TRUE(support::wait_until([this] { return here_.pair->use().requests == 0; }));
    const FakeDevice::Counts counts = fake_.counts();
    ASSERT_EQ(counts.sent.size(), 2u);
    EXPECT_EQ(counts.sent[1].opcode, IBV_WR_RDMA_WRITE) << "a request that tells of the one before it";
    EXPECT_EQ(counts.sent[1].num_sge, 0);
    EXPECT_TRUE(here_.poll().empty());
    // The depth is the program's still.
    fake_.hold();
    for (std::uint32_t i = 0; i < kDepth; ++i)
        ASSERT_EQ(post(here_, Operation::write, {here_.entry(0, 8)}), Status::success);
    EXPECT_EQ(post(here_, Operation::write, {here_.entry(0, 8)}), Status::queue_full);
    EXPECT_EQ(answering_->failed, 0);
}

// The hardware is full of silent messages: OpenND's own request has a place beside them.
TEST_F(MessageLimitTest, HoldsForAQueueFullOfSilentMessages) {
    attach();
    fake_.hold();
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}, RequestFlags::silent_success), Status::success);
    ASSERT_TRUE(support::wait_until([this] { return fake_.counts().requests == 2; }));
    for (std::uint32_t i = 1; i < kDepth; ++i)
        ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}, RequestFlags::silent_success), Status::success);
    EXPECT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}), Status::queue_full);
    ASSERT_TRUE(fails());
    here_.pair->end(Status::canceled);
    EXPECT_EQ(here_.poll_all().size(), kDepth);
}

TEST_F(MessageLimitTest, IsWatchedAgainForTheNextMessage) {
    attach();
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}), Status::success);
    EXPECT_TRUE(support::wait_until([this] { return here_.pair->use().requests == 0; }));
    turn();
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}), Status::success);
    EXPECT_TRUE(fails());
}

TEST_F(MessageLimitTest, HoldsForAMessageBehindARead) {
    attach();
    fake_.keep_reads();
    ASSERT_EQ(post(here_, Operation::read, {here_.entry(0, 8)}), Status::success);
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}), Status::success);
    fake_.run_reads();
    EXPECT_TRUE(fails());
}

// NDK-QP-SEND-04.
TEST_F(MessageLimitTest, IsNoneForAQueuePairThatWaits) {
    proves("NDK-QP-SEND-04");
    attach(std::nullopt);
    ASSERT_EQ(post(here_, Operation::send, {here_.entry(0, 8)}), Status::success);
    turn();
    EXPECT_EQ(answering_->asked, 0);
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    EXPECT_EQ(here_.poll().at(0).status, Status::success);
}

}  // namespace
}  // namespace opennd::verbs
