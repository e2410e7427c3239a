// SPDX-License-Identifier: MIT
// Memory windows over a fake device: bound, used, and ended by either side.
#include <chrono>
#include <cstring>
#include <thread>

#include "platform/process/clock.h"
#include "transport/verbs/device/rdma_core.h"
#include "transport/verbs/memory/window_binding.h"
#include "unit/transport/verbs/data_path_test.h"

namespace opennd::verbs {
namespace {

// there_ binds windows, here_ uses them.
class VerbsWindowTest : public DataPathTest {
protected:
    explicit VerbsWindowTest(const Quirks& quirks = {}) : DataPathTest(quirks) {}

    Ref<TransportWindowBinding> window(const BindingTerms& terms = {}, Access access = Access::remote_write) {
        return adapter_->bind_window(*there_.pair, *there_.region, there_.memory.data() + 64, 64, access, terms).take();
    }
    Status post_about(Operation operation, TransportRequestSubject* subject, RequestFlags flags = RequestFlags::none) {
        WorkRequest request;
        request.operation = operation;
        request.flags = flags;
        request.context = reinterpret_cast<void*>(5);
        request.extra = subject;
        return there_.pair->post(request);
    }
    Status write_through(const TransportWindowBinding& binding, std::size_t at = 64) {
        WorkRequest request;
        const Sge entry = here_.entry(0, 8);
        request.operation = Operation::write;
        request.sges = {&entry, 1};
        request.remote_address = reinterpret_cast<std::uint64_t>(there_.memory.data() + at);
        request.remote_token = binding.remote_token();
        return here_.pair->post(request);
    }
    Status send_and_invalidate(Token token) {
        WorkRequest request;
        request.operation = Operation::send_and_invalidate;
        request.remote_token = token;
        return here_.pair->post(request);
    }
    // Ends it on a thread of its own; returns when that waits for a result of the hardware.
    std::thread end_apart(TransportWindowBinding& binding) {
        const int asked = fake_.counts().event_requests;
        std::thread ends([&binding] { binding.end(); });
        fake_.wait_for_event_requests(asked + 1);
        return ends;
    }
    Status outcome(Side& side) {
        const auto results = side.poll();
        return results.empty() ? Status::would_block : results[0].status;
    }
};

TEST_F(VerbsWindowTest, GrantsFromItsBindToItsInvalidate) {  // ND2-MW-04, ND2-QP-BIND-04, ND2-QP-INV-03
    connect_both();
    EXPECT_NE(can_.traits.max_window_bytes, 0u);
    const auto binding = window();
    EXPECT_NE(binding->remote_token(), Token::none);
    EXPECT_TRUE(binding->alive());
    ASSERT_EQ(post_about(Operation::bind, binding.get()), Status::success);
    EXPECT_EQ(outcome(there_), Status::success);
    std::memcpy(here_.memory.data(), "written", 8);
    ASSERT_EQ(write_through(*binding), Status::success);
    EXPECT_EQ(outcome(here_), Status::success);
    EXPECT_STREQ(reinterpret_cast<const char*>(there_.memory.data() + 64), "written");
    ASSERT_EQ(post_about(Operation::invalidate, binding.get()), Status::success);
    const auto ended = there_.poll();
    ASSERT_EQ(ended.size(), 1u);
    EXPECT_EQ(ended[0].status, Status::success);
    EXPECT_EQ(ended[0].operation, Operation::invalidate);
    EXPECT_FALSE(binding->alive());
    EXPECT_TRUE(binding->at_rest());
    ASSERT_EQ(write_through(*binding), Status::success);
    EXPECT_EQ(outcome(here_), Status::remote_access_violation);
}

TEST_F(VerbsWindowTest, GrantsItsPartAlone) {
    connect_both();
    const auto binding = window();
    ASSERT_EQ(post_about(Operation::bind, binding.get()), Status::success);
    ASSERT_EQ(write_through(*binding, 124), Status::success);
    EXPECT_EQ(outcome(here_), Status::remote_access_violation);
    EXPECT_TRUE(binding->alive()) << "it is the peer that fails";
}

// Tokens are octets in the order of the wire; the hardware's keys are numbers (IW-ND-07).
TEST_F(VerbsWindowTest, TokensAreKeysInTheOrderOfTheWire) {
    connect_both();
    const auto binding = window();
    ASSERT_EQ(post_about(Operation::bind, binding.get()), Status::success);
    const ibv_send_wr bind = fake_.counts().sent.back();
    EXPECT_EQ(bind.opcode, IBV_WR_BIND_MW);
    EXPECT_EQ(to_token(bind.bind_mw.rkey), binding->remote_token());
    EXPECT_EQ(to_token(0x01020304), Token{0x04030201});
    EXPECT_EQ(to_remote_key(there_.region->remote_token()), value(there_.region->local_token())) << "one key here";
    ASSERT_EQ(write_through(*binding), Status::success);
    EXPECT_EQ(fake_.counts().sent.back().wr.rdma.rkey, bind.bind_mw.rkey);
}

TEST_F(VerbsWindowTest, BindsFollowInvalidatesWithoutEndAndWithNewTokens) {  // ND2-QP-INV-04
    connect_both();
    std::vector<Token> tokens;
    for (int round = 0; round < 200; ++round) {
        const auto binding = window();
        for (const Token older : tokens) ASSERT_NE(binding->remote_token(), older);
        tokens.push_back(binding->remote_token());
        ASSERT_EQ(post_about(Operation::bind, binding.get(), RequestFlags::silent_success), Status::success);
        ASSERT_EQ(post_about(Operation::invalidate, binding.get()), Status::success);
        EXPECT_EQ(there_.poll().size(), 1u) << "the Bind was silent";
        EXPECT_TRUE(binding->at_rest());
    }
    EXPECT_LE(fake_.counts().windows, 64);
}

TEST_F(VerbsWindowTest, FewOfManyThatHaveEndedStayInTheDevice) {
    connect_both();
    std::vector<Ref<TransportWindowBinding>> bound;
    for (int i = 0; i < 100; ++i) {
        bound.push_back(window());
        ASSERT_EQ(post_about(Operation::bind, bound.back().get()), Status::success);
        ASSERT_EQ(outcome(there_), Status::success);
    }
    EXPECT_EQ(fake_.counts().windows, 100);
    for (const auto& each : bound) {
        ASSERT_EQ(post_about(Operation::invalidate, each.get()), Status::success);
        ASSERT_EQ(outcome(there_), Status::success);
    }
    bound.clear();
    EXPECT_LE(fake_.counts().windows, 64);
}

// ND1-MW-05, -06: the program of version 1 has a result of its own, directly before the receive's.
TEST_F(VerbsWindowTest, APeerEndsItAndTheReceiveTells) {  // NDK-CQ-POLL-06
    connect_both();
    const auto plain = window();
    const auto told = window({.invalidated_context = reinterpret_cast<void*>(77)});
    for (const auto& each : {plain, told}) ASSERT_EQ(post_about(Operation::bind, each.get()), Status::success);
    EXPECT_EQ(there_.poll().size(), 2u);
    for (std::uintptr_t i = 1; i <= 2; ++i)
        ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}, RequestFlags::none, i), Status::success);
    ASSERT_EQ(send_and_invalidate(plain->remote_token()), Status::success);
    ASSERT_EQ(send_and_invalidate(told->remote_token()), Status::success);
    const std::vector<Completion> results = there_.poll_all();
    ASSERT_EQ(results.size(), 3u);
    EXPECT_EQ(results[0].operation, Operation::receive);
    EXPECT_EQ(results[0].invalidated, plain->remote_token());
    EXPECT_EQ(results[1].operation, Operation::remote_invalidation);
    EXPECT_EQ(results[1].request_context, reinterpret_cast<void*>(77));
    EXPECT_EQ(results[1].queue_pair_context, &there_);
    EXPECT_EQ(results[2].request_context, reinterpret_cast<void*>(2));
    EXPECT_EQ(results[2].invalidated, told->remote_token());
    for (const auto& each : {plain, told}) EXPECT_TRUE(each->at_rest());
    // ND2-MW-08, ND2-QP-INV-02: it is not bound any more.
    ASSERT_EQ(post_about(Operation::invalidate, plain.get()), Status::success);
    EXPECT_EQ(outcome(there_), Status::malformed_request);
    EXPECT_TRUE(there_.end->comes_to_fail());
}

// ND1-CQ-08: the queue has room for the receive alone.
TEST_F(VerbsWindowTest, TheNoticeOfItsEndNeedsNoRoom) {
    rule_ = OverrunRule::strict;
    make(here_);
    make(there_, NotifyRule::level, 1);
    join();
    const auto told = window({.invalidated_context = reinterpret_cast<void*>(77)});
    ASSERT_EQ(post_about(Operation::bind, told.get()), Status::success);
    EXPECT_EQ(there_.poll().size(), 1u);
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    ASSERT_EQ(send_and_invalidate(told->remote_token()), Status::success);
    EXPECT_EQ(there_.queue->count_waiting().all, 2u);
    EXPECT_EQ(there_.queue->resize(1), Status::success);
    const std::vector<Completion> results = there_.poll_all();
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0].operation, Operation::remote_invalidation);
    EXPECT_EQ(results[1].operation, Operation::receive);
    EXPECT_EQ(there_.sink.overruns, 0);
    EXPECT_EQ(there_.queue->resize(0), Status::success) << "neither counts any more";
}

// The peer is faster than the Invalidate, which is in the hardware already.
TEST_F(VerbsWindowTest, AnInvalidateThatComesTooLateFails) {  // ND1-MW-08
    connect_both();
    const auto binding = window();
    ASSERT_EQ(post_about(Operation::bind, binding.get()), Status::success);
    EXPECT_EQ(outcome(there_), Status::success);
    fake_.hold();
    ASSERT_EQ(post_about(Operation::invalidate, binding.get()), Status::success);
    fake_.fail_oldest_request(there_.pair->number(), IBV_WC_LOC_QP_OP_ERR);
    EXPECT_EQ(outcome(there_), Status::malformed_request);
    EXPECT_TRUE(binding->alive());
}

TEST_F(VerbsWindowTest, ABindOfNothingFailsInOrder) {  // ND1-EP-BIND-02
    connect_both();
    fake_.hold();
    ASSERT_EQ(post(there_, Operation::write, {there_.entry(0, 8)}), Status::success);
    ASSERT_EQ(post_about(Operation::bind, nullptr), Status::success);
    EXPECT_TRUE(there_.poll().empty());
    fake_.run();
    const std::vector<Completion> results = there_.poll_all();
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0].status, Status::success);
    EXPECT_EQ(results[1].status, Status::access_violation);
    EXPECT_EQ(results[1].operation, Operation::bind);
    EXPECT_TRUE(there_.end->comes_to_fail());
}

TEST_F(VerbsWindowTest, AnInvalidateOfNothingFails) {  // ND2-QP-INV-02
    connect_both();
    ASSERT_EQ(post_about(Operation::invalidate, nullptr), Status::success);
    EXPECT_EQ(outcome(there_), Status::malformed_request);
    EXPECT_TRUE(there_.end->comes_to_fail());
}

TEST_F(VerbsWindowTest, ABindThatTheHardwareRefusesLeavesItUnbound) {  // ND2-QP-BIND-05
    connect_both();
    fake_.hold();
    const auto binding = window();
    const auto behind = window();
    ASSERT_EQ(post_about(Operation::bind, binding.get()), Status::success);
    ASSERT_EQ(post_about(Operation::bind, behind.get()), Status::success);
    fake_.fail_oldest_request(there_.pair->number(), IBV_WC_LOC_QP_OP_ERR);
    const auto results = there_.poll();
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0].status, Status::access_violation);
    EXPECT_EQ(results[1].status, Status::canceled);
    EXPECT_FALSE(binding->alive());
    EXPECT_FALSE(behind->alive());
}

// ND2-QP-BIND-05: the hardware never gives it back.
TEST_F(VerbsWindowTest, ABindThatIsCanceledLeavesItUnbound) {
    connect_both();
    fake_.hold();
    fake_.loses_flushed = true;
    const auto binding = window();
    ASSERT_EQ(post_about(Operation::bind, binding.get()), Status::success);
    there_.pair->flush();
    EXPECT_EQ(outcome(there_), Status::canceled);
    EXPECT_FALSE(binding->alive());
}

// ND2-MW-07: bound, though nothing can reach it; a window of version 1 is not (ND1-MW-09).
TEST_F(VerbsWindowTest, OutlivesTheConnection) {
    connect_both();
    const auto stays = window();
    const auto ends = window({.ends_with_connection = true});
    for (const auto& each : {stays, ends}) ASSERT_EQ(post_about(Operation::bind, each.get()), Status::success);
    there_.pair->flush();
    EXPECT_TRUE(stays->alive());
    EXPECT_FALSE(ends->alive());
    EXPECT_EQ(fake_.counts().windows, 0) << "some devices keep an ibv_qp as long as a window is bound to it";
    stays->end();
    EXPECT_FALSE(stays->alive());
    EXPECT_TRUE(stays->at_rest());
}

TEST_F(VerbsWindowTest, EndsByItsReleaseThoughItIsBound) {  // ND2-MW-06
    connect_both();
    const auto binding = window();
    ASSERT_EQ(post_about(Operation::bind, binding.get()), Status::success);
    EXPECT_EQ(outcome(there_), Status::success);
    binding->end();
    EXPECT_TRUE(binding->at_rest());
    EXPECT_EQ(fake_.counts().windows, 0);
    ASSERT_EQ(write_through(*binding), Status::success);
    EXPECT_EQ(outcome(here_), Status::remote_access_violation);
}

// Its Bind is on its way: the hardware would fail it, and the connection, if the window went.
TEST_F(VerbsWindowTest, AReleaseWaitsForItsBind) {  // ND2-MW-06
    connect_both();
    fake_.hold();
    const auto binding = window();
    ASSERT_EQ(post_about(Operation::bind, binding.get()), Status::success);
    std::thread ends = end_apart(*binding);
    EXPECT_EQ(fake_.counts().windows, 1);
    fake_.run();
    ends.join();
    EXPECT_EQ(fake_.counts().windows, 0);
    EXPECT_EQ(outcome(there_), Status::success);
    EXPECT_EQ(there_.end->failed, 0);
}

TEST_F(VerbsWindowTest, AWaitingReleaseSleeps) {
    connect_both();
    fake_.hold();
    const auto binding = window();
    ASSERT_EQ(post_about(Operation::bind, binding.get()), Status::success);
    std::thread ends = end_apart(*binding);
    const int polls = fake_.counts().polls;
    for (int i = 0; i < 100; ++i) turn();
    EXPECT_LE(fake_.counts().polls, polls + 1) << "one look behind the request for an event";
    fake_.run();
    ends.join();
}

// The hardware's event comes once: for the result of an earlier request.
TEST_F(VerbsWindowTest, AReleaseWaitsBehindEarlierRequests) {  // ND2-MW-06
    connect_both();
    fake_.hold();
    const auto binding = window();
    ASSERT_EQ(post(there_, Operation::write, {}), Status::success);
    ASSERT_EQ(post(there_, Operation::send, {}), Status::success);
    ASSERT_EQ(post_about(Operation::bind, binding.get()), Status::success);
    const SteadyTime begin = now();
    std::thread ends = end_apart(*binding);
    const int asked = fake_.counts().event_requests;
    fake_.run();  // the Send finds no receive
    fake_.wait_for_event_requests(asked + 1);
    EXPECT_EQ(fake_.counts().windows, 1);
    ASSERT_EQ(post(here_, Operation::receive, {here_.entry(0, 8)}), Status::success);
    fake_.run();
    ends.join();
    EXPECT_LT(now() - begin, std::chrono::seconds(1)) << "it was not woken";
    EXPECT_EQ(there_.poll().size(), 3u);
    EXPECT_EQ(there_.end->failed, 0);
}

TEST_F(VerbsWindowTest, AReleaseDoesNotWaitForAConnectionThatFails) {
    connect_both();
    fake_.hold();
    const auto binding = window();
    ASSERT_EQ(post_about(Operation::bind, binding.get()), Status::success);
    std::thread ends = end_apart(*binding);
    fake_.fail_oldest_request(there_.pair->number(), IBV_WC_RETRY_EXC_ERR);
    ends.join();
    EXPECT_TRUE(binding->at_rest());
    EXPECT_TRUE(there_.end->comes_to_fail());
}

// The wait has events of its own in the hardware.
TEST_F(VerbsWindowTest, AReleaseThatWaitsIsNoSolicitedEvent) {  // ND2-CQ-NTF-03
    connect_both();
    fake_.hold();
    const auto binding = window();
    there_.queue->arm(NotifyKind::solicited);
    ASSERT_EQ(post_about(Operation::bind, binding.get()), Status::success);
    std::thread ends = end_apart(*binding);
    fake_.run();
    ends.join();
    turn();
    EXPECT_EQ(there_.sink.events, 0);
    ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    ASSERT_EQ(post(here_, Operation::send, {}, RequestFlags::solicit), Status::success);
    fake_.run();
    turn();
    EXPECT_EQ(there_.sink.events, 1);
}

TEST_F(VerbsWindowTest, ADeviceWithoutWindowsSaysSo) {  // NDK-MW-01, ND2-ADP-MW-01
    connect_both();
    fake_.refuses_windows = true;
    EXPECT_EQ(
        adapter_->bind_window(*there_.pair, *there_.region, there_.memory.data(), 8, Access::remote_read, {}).status(),
        Status::no_memory);
    const DeviceLimits none = find_limits(*device_).value();
    EXPECT_EQ(none.traits.max_window_bytes, 0u);
    auto without = VerbsAdapter::create(device_, none, rule_).take();
    EXPECT_EQ(
        without->bind_window(*there_.pair, *there_.region, there_.memory.data(), 8, Access::remote_read, {}).status(),
        Status::not_supported);
}

TEST_F(VerbsWindowTest, ADeviceThatTellsOfWindowsWithoutTheirTypeHasThem) {  // irdma
    fake_.window_flags = IBV_DEVICE_MEM_WINDOW;
    EXPECT_NE(find_limits(*device_).value().traits.max_window_bytes, 0u);
    fake_.window_flags = 0;
    EXPECT_EQ(find_limits(*device_).value().traits.max_window_bytes, 0u);
}

// As mana, whose library allocates them and has no request that binds one, and takes no notice of inline data.
class NoBindTest : public VerbsWindowTest {
protected:
    NoBindTest() : VerbsWindowTest({.binds_no_windows = true, .ignores_inline_data = true}) {}
};

TEST_F(NoBindTest, ADeviceThatBindsNoWindowsHasNone) {
    EXPECT_EQ(can_.traits.max_window_bytes, 0u);
    EXPECT_EQ(can_.limits.max_inline_bytes, 0u);
}

// As rxe, whose kernel's flag is another one in user space.
class OtherFlagTest : public VerbsWindowTest {
protected:
    OtherFlagTest() : VerbsWindowTest({.tells_invalidation_as_checksum = true}) {
        fake_.flag_of_invalidations = IBV_WC_IP_CSUM_OK;
    }
};

TEST_F(OtherFlagTest, ThePeersInvalidationEndsTheBinding) {  // ND2-MW-08
    connect_both();
    const auto binding = window();
    ASSERT_EQ(post_about(Operation::bind, binding.get()), Status::success);
    ASSERT_EQ(outcome(there_), Status::success);
    ASSERT_EQ(post(there_, Operation::receive, {}), Status::success);
    ASSERT_EQ(send_and_invalidate(binding->remote_token()), Status::success);
    const auto results = there_.poll();
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].invalidated, binding->remote_token());
    EXPECT_FALSE(binding->alive());
}

}  // namespace
}  // namespace opennd::verbs
