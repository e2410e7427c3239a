// SPDX-License-Identifier: MIT
// The rights that the responder gives its queue pair's peer over tokens, for wires that bring Reads and Writes as
// messages. The local wire's own peer asks for no more than it may; a hostile one does.
#include "transport/soft/engine/receive_turn.h"

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/explanation.h"
#include "scripted_queue_pair.h"
#include "support/requirement.h"
#include "unit/transport/scattered_memory.h"

namespace opennd::test {
namespace {

using support::proves;

class ResponderTest : public ScriptedQueuePair {
protected:
    static constexpr std::size_t kBytes = 64;

    ResponderTest() {
        const Ref<TransportQueuePair> made =
            adapter_->create_queue_pair({{4, 4, 1, 1, 0}, completions_, completions_, nullptr}).take();
        other_ = Ref<soft::SoftQueuePair>(static_cast<soft::SoftQueuePair*>(made.get()));
        other_->attach(others_channel_, nullptr, {1, 1});
    }
    ~ResponderTest() override { other_->close(); }

    Ref<TransportWindowBinding> bind_on(soft::SoftQueuePair& queue_pair, const Ref<TransportMemory>& region,
                                        std::uint64_t address) {
        const Ref<TransportWindowBinding> binding =
            adapter_
                ->bind_window(queue_pair, *region, reinterpret_cast<std::byte*>(address), kBytes,
                              Access::remote_read | Access::remote_write, {})
                .take();
        WorkRequest bind{Operation::bind, RequestFlags::silent_success, nullptr, {}};
        bind.extra = binding.get();
        EXPECT_EQ(queue_pair.post(bind), Status::success);
        return binding;
    }
    // The answer to the peer of queue_pair_ when it uses the token.
    Status asked_by_peer(Token token, std::uint64_t address, Access wanted) {
        Status told = Status::internal_error;
        channel_->on_receive = [&](soft::ReceiveTurn& turn) -> std::size_t {
            std::span<const Sge> places;
            soft::ResolvedMemory memory;
            told = turn.check_remote(token, address, kBytes, wanted, places, memory);
            return 0;
        };
        EXPECT_EQ(poll(), 0u);
        channel_->on_receive = [](soft::ReceiveTurn&) { return std::size_t{0}; };
        return told;
    }
    void expect_own_window_alone(const Ref<TransportMemory>& region, std::uint64_t address, Access wanted) {
        const auto own = bind_on(*queue_pair_, region, address);
        const auto others = bind_on(*other_, region, address);
        EXPECT_EQ(asked_by_peer(own->remote_token(), address, wanted), Status::success);
        EXPECT_EQ(asked_by_peer(others->remote_token(), address, wanted), Status::access_violation);
        EXPECT_EQ(queue_pair_->state(), QueuePairState::error) << "a hostile peer's connection ends";
        own->end();
        others->end();
        region->deregister();
    }

    Ref<soft::SoftQueuePair> other_;
    Ref<ScriptedChannel> others_channel_ = make_ref<ScriptedChannel>();
    std::vector<std::byte> memory_ = std::vector<std::byte>(kBytes);
    const std::uint64_t place_ = reinterpret_cast<std::uint64_t>(memory_.data());
    static constexpr std::uint64_t kBase = 0xdead'beef'0000'0000;  // no address
};

TEST_F(ResponderTest, LetsThePeerWriteThroughWindowsOfItsConnectionAlone) {
    proves("ND2-MW-03");
    expect_own_window_alone(adapter_->register_memory(memory_.data(), kBytes, Access::local_write).take(), place_,
                            Access::remote_write);
}

TEST_F(ResponderTest, LetsThePeerReadThroughWindowsOfItsConnectionAlone) {
    proves("ND2-MW-03");
    expect_own_window_alone(adapter_->register_memory(memory_.data(), kBytes, Access::local_write).take(), place_,
                            Access::remote_read);
}

TEST_F(ResponderTest, LetsThePeerReachPagesThroughWindowsOfItsConnectionAlone) {
    proves("ND2-MW-03");
    const ScatteredMemory pages(1);
    expect_own_window_alone(adapter_->register_pages(pages.list(kBase, 0, kBytes), Access::local_write).take(), kBase,
                            Access::remote_write);
}

// The program has asked for the end too, and its request waits behind a Read: of the two only one ends it.
TEST_F(ResponderTest, AWindowThatThePeerTookIsNotInvalidatedOnceMore) {
    proves("ND1-MW-08", "ND1-EP-INV-04");
    const auto region = adapter_->register_memory(memory_.data(), kBytes, Access::local_write).take();
    const auto window = bind_on(*queue_pair_, region, place_);
    const Sge sink{memory_.data(), kBytes, region->local_token()};
    WorkRequest read{Operation::read, RequestFlags::none, nullptr, {&sink, 1}};
    channel_->on_start = [] { return soft::StartResult{soft::Start::in_flight, Status::success, soft::Ticket{1}}; };
    ASSERT_EQ(queue_pair_->post(read), Status::success);
    WorkRequest invalidate{Operation::invalidate, RequestFlags::read_fence, nullptr, {}};
    invalidate.extra = window.get();
    ASSERT_EQ(queue_pair_->post(invalidate), Status::success);
    channel_->on_receive = [&](soft::ReceiveTurn& turn) -> std::size_t {
        EXPECT_EQ(turn.take_away(window->remote_token()), Status::success);
        turn.read_done(Status::success);
        channel_->on_receive = [](soft::ReceiveTurn&) { return std::size_t{0}; };
        return 0;
    };
    std::vector<Completion> results(2);
    std::size_t count = 0;
    for (int polls = 0; polls < 10 && count < 2; ++polls)
        count += completions_->poll(std::span(results).subspan(count));
    ASSERT_EQ(count, 2u);
    EXPECT_EQ(results[0].status, Status::success) << "the Read";
    EXPECT_EQ(results[1].operation, Operation::invalidate);
    EXPECT_EQ(results[1].status, Status::malformed_request);
    window->end();
    region->deregister();
}

TEST_F(ResponderTest, AWindowOfVersion1EndsWithItsConnection) {
    proves("ND1-MW-09");
    const auto region = adapter_->register_memory(memory_.data(), kBytes, Access::local_write).take();
    const auto bound = [&](bool ends) {
        return adapter_
            ->bind_window(*queue_pair_, *region, memory_.data(), kBytes, Access::remote_read,
                          {.ends_with_connection = ends})
            .take();
    };
    const auto ends = bound(true), outlives = bound(false);
    EXPECT_TRUE(ends->alive());
    queue_pair_->fail();
    EXPECT_FALSE(ends->alive());
    EXPECT_TRUE(outlives->alive());
    ends->end();
    outlives->end();
    region->deregister();
}

TEST_F(ResponderTest, AWindowThatTheProgramInvalidatedIsNotTakenByThePeer) {
    proves("ND1-MW-08", "ND1-EP-SINV-04");
    const auto region = adapter_->register_memory(memory_.data(), kBytes, Access::local_write).take();
    const auto window = bind_on(*queue_pair_, region, place_);
    WorkRequest invalidate{Operation::invalidate, RequestFlags::silent_success, nullptr, {}};
    invalidate.extra = window.get();
    ASSERT_EQ(queue_pair_->post(invalidate), Status::success);
    const Sge sink{memory_.data(), kBytes, region->local_token()};
    ASSERT_EQ(queue_pair_->post({Operation::receive, RequestFlags::none, nullptr, {&sink, 1}}), Status::success);
    Status told = Status::success;
    channel_->on_receive = [&](soft::ReceiveTurn& turn) -> std::size_t {
        told = turn.take_away(window->remote_token());
        channel_->on_receive = [](soft::ReceiveTurn&) { return std::size_t{0}; };
        return 0;
    };
    EXPECT_EQ(poll(), 1u) << "the receive of that message";
    EXPECT_EQ(told, Status::malformed_request);
    window->end();
    region->deregister();
}

TEST_F(ResponderTest, LetsThePeerDoNoMoreThanTheRegistrationGrants) {
    proves("ND2-QP-RDMA-03");
    const auto region = adapter_->register_memory(memory_.data(), kBytes, Access::remote_read).take();
    EXPECT_EQ(asked_by_peer(region->remote_token(), place_, Access::remote_read), Status::success);
    EXPECT_EQ(asked_by_peer(region->remote_token(), place_, Access::remote_write), Status::access_violation);
    region->deregister();
}

// Messages of the peer as a wire brings them, one at a look.
class ReceivingTest : public ResponderTest {
protected:
    ~ReceivingTest() override {
        if (region_) region_->deregister();
    }

    // A receive of two entries, `first` and `second` bytes long.
    void post_receive(std::uint32_t first, std::uint32_t second) {
        const Sge list[] = {{memory_.data(), first, region_->local_token()},
                            {memory_.data() + first, second, region_->local_token()}};
        ASSERT_EQ(queue_pair_->post({Operation::receive, RequestFlags::none, nullptr, list}), Status::success);
    }
    // Runs `look` at the next look, which a poll makes.
    void at_next_look(std::function<void(soft::ReceiveTurn&)> look) {
        channel_->on_receive = [look = std::move(look), seen = false](soft::ReceiveTurn& turn) mutable {
            if (!std::exchange(seen, true)) look(turn);
            return std::size_t{0};
        };
    }
    Status begin(soft::ReceiveTurn& turn, std::uint32_t length_bytes) {
        std::span<const Sge> target;
        soft::ResolvedMemory memory;
        return turn.begin_receive(length_bytes, target, memory);
    }
    Completion next() {
        Completion completion;
        EXPECT_EQ(completions_->poll({&completion, 1}), 1u);
        return completion;
    }

    Ref<TransportMemory> region_ = adapter_->register_memory(memory_.data(), kBytes, Access::local_write).take();
};

TEST_F(ReceivingTest, AMessageOfTheLengthOfItsReceiveIsTakenAndNoLongerOne) {
    proves("ND2-QP-SEND-07", "ND2-QP-ERR-01");
    post_receive(8, 8);
    at_next_look([this](soft::ReceiveTurn& turn) {
        EXPECT_EQ(begin(turn, 16), Status::success);
        EXPECT_EQ(begin(turn, 17), Status::receive_too_small);
        EXPECT_TRUE(turn.responder().failed());
    });
    const Completion failed = next();
    EXPECT_EQ(failed.status, Status::receive_too_small);
    EXPECT_TRUE(failed.solicited()) << "failures are";
    EXPECT_EQ(queue_pair_->state(), QueuePairState::error);
}

TEST_F(ReceivingTest, AWaitForAReceiveIsOneFromItsFirstLookToTheReceive) {
    proves("ND2-QP-SEND-05");
    std::uint32_t wait = 0;
    at_next_look([&](soft::ReceiveTurn& turn) {
        EXPECT_EQ(begin(turn, 16), Status::would_block);
        EXPECT_TRUE(turn.responder().starved());
        wait = turn.responder().starvation();
    });
    EXPECT_EQ(poll(), 0u);
    at_next_look([&](soft::ReceiveTurn& turn) {
        EXPECT_EQ(begin(turn, 16), Status::would_block);
        EXPECT_EQ(turn.responder().starvation(), wait) << "each look would begin its time anew";
    });
    EXPECT_EQ(poll(), 0u);
    at_next_look([&](soft::ReceiveTurn& turn) {
        EXPECT_EQ(begin(turn, 16), Status::success);
        EXPECT_FALSE(turn.responder().starved());
        turn.receive_done(16, false);
        EXPECT_EQ(begin(turn, 16), Status::would_block);
        EXPECT_NE(turn.responder().starvation(), wait) << "that is another wait";
    });
    post_receive(8, 8);
    EXPECT_EQ(next().status, Status::success);
    at_next_look([&](soft::ReceiveTurn& turn) {  // a receive of one entry is found in another way
        EXPECT_EQ(begin(turn, 16), Status::success);
        EXPECT_FALSE(turn.responder().starved());
        turn.receive_done(16, false);
    });
    const Sge all{memory_.data(), kBytes, region_->local_token()};
    ASSERT_EQ(queue_pair_->post({Operation::receive, RequestFlags::none, nullptr, {&all, 1}}), Status::success);
    EXPECT_EQ(next().status, Status::success);
}

TEST_F(ReceivingTest, AFlushCancelsAllOfThem) {
    proves("ND2-QP-FLUSH-01");
    constexpr std::size_t kReceives = 3;
    for (std::size_t i = 0; i < kReceives; ++i) post_receive(8, 8);
    queue_pair_->flush();
    std::array<Completion, kReceives + 1> results;
    ASSERT_EQ(completions_->poll(results), kReceives) << "at once, without another look at the queue pair";
    for (std::size_t i = 0; i < kReceives; ++i) {
        EXPECT_EQ(results[i].status, Status::canceled) << i;
        EXPECT_TRUE(results[i].solicited()) << "failures are";
    }
}

TEST_F(ResponderTest, AQueuePairWithASharedQueueHasNoReceivesOfItsOwn) {
    proves("ND2-QP-RECV-01");
    LowSink low;
    const auto shared = adapter_->create_shared_receive_queue({4, 1, 0}, low).take();
    const auto queue_pair =
        adapter_->create_queue_pair({{0, 4, 1, 1, 0}, completions_, completions_, nullptr, shared}).take();
    EXPECT_EQ(queue_pair->post({Operation::receive, RequestFlags::none, nullptr, {}}), Status::malformed_request);
    queue_pair->close();
    shared->close();
}

// The receive that ends a wait may be a shared one.
TEST_F(ResponderTest, AMessageWaitsNoLongerOnceASharedReceiveIsThere) {
    proves("ND2-SRQ-RECV-03");
    LowSink low;
    const auto shared = adapter_->create_shared_receive_queue({4, 1, 0}, low).take();
    const auto made =
        adapter_->create_queue_pair({{0, 4, 1, 1, 0}, completions_, completions_, nullptr, shared}).take();
    auto& queue_pair = static_cast<soft::SoftQueuePair&>(*made);
    const auto channel = make_ref<ScriptedChannel>();
    std::vector<bool> waits;
    channel->on_receive = [&waits](soft::ReceiveTurn& turn) -> std::size_t {
        if (waits.size() == 2) return 0;
        std::span<const Sge> target;
        soft::ResolvedMemory memory;
        const bool found = ok(turn.begin_receive(0, target, memory));
        waits.push_back(turn.responder().starved());
        if (found) turn.receive_done(0, false);
        return found ? 1 : 0;
    };
    queue_pair.attach(channel, nullptr, {1, 1});
    queue_pair.run();
    ASSERT_EQ(shared->post(nullptr, {}), Status::success);
    EXPECT_EQ(waits, (std::vector{true, false}));
    EXPECT_EQ(poll(), 1u);
    queue_pair.close();
    shared->close();
}

// The memory that the peer's message names may go while it is copied.
TEST_F(ResponderTest, TellsWhichAccessOfThePeerMetMemoryThatIsGone) {
    proves("ND2-MR-REG-07");
    const auto told = [](soft::SoftQueuePair& queue_pair, ScriptedChannel& channel, Access wanted) {
        std::string operation;
        set_failure_sink(
            [](void* to, const Failure& failure) {
                *static_cast<std::string*>(to) = std::string_view(failure.operation);
            },
            &operation);
        channel.on_receive = [wanted](soft::ReceiveTurn& turn) -> std::size_t { return turn.lose_remote(wanted), 0; };
        queue_pair.run();
        set_failure_sink(nullptr, nullptr);
        EXPECT_EQ(queue_pair.state(), QueuePairState::error);
        return operation;
    };
    EXPECT_EQ(told(*queue_pair_, *channel_, Access::remote_write), "the peer's Write");
    EXPECT_EQ(told(*other_, *others_channel_, Access::remote_read), "the peer's Read");
}

TEST_F(ResponderTest, CountsAMessageThatWaitsForAReceiveOnce) {
    const auto let_a_message_come = [&] {
        channel_->on_receive = [](soft::ReceiveTurn& turn) -> std::size_t {
            std::span<const Sge> target;
            soft::ResolvedMemory memory;
            if (!ok(turn.begin_receive(0, target, memory))) return 0;
            turn.receive_done(0, false);
            return 1;
        };
        const std::size_t results = poll();
        channel_->on_receive = [](soft::ReceiveTurn&) { return std::size_t{0}; };
        return results;
    };
    EXPECT_EQ(queue_pair_->use().messages_waited, 0u);
    EXPECT_FALSE(queue_pair_->use().message_age);
    for (int looks = 0; looks < 2; ++looks) EXPECT_EQ(let_a_message_come(), 0u);
    EXPECT_EQ(queue_pair_->use().messages_waited, 1u);
    ASSERT_TRUE(queue_pair_->use().message_age);
    EXPECT_GE(queue_pair_->use().message_age->count(), 0);
    EXPECT_EQ(queue_pair_->post({Operation::receive, RequestFlags::none, nullptr, {}}), Status::success);
    EXPECT_EQ(let_a_message_come(), 1u);
    EXPECT_FALSE(queue_pair_->use().message_age);
    EXPECT_EQ(let_a_message_come(), 0u);
    EXPECT_EQ(queue_pair_->use().messages_waited, 2u);
}

}  // namespace
}  // namespace opennd::test
