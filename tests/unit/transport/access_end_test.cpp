// SPDX-License-Identifier: MIT
// Peers that say they are in the middle of an access when its memory is deregistered, or of taking a message when its
// queue pair fails, and stay there.
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "connected_pair.h"
#include "support/requirement.h"
#include "transport/local/producer.h"
#include "transport/local/ring_channel.h"
#include "transport/soft/adapter.h"
#include "transport/soft/queue_pair/queue_pair.h"

namespace opennd::local {
namespace {

class ToldEnd final : public soft::ConnectionEnd {
public:
    std::atomic<bool> failed{false};
    test::Heard told;
    void queue_pair_failed() override {
        failed = true;
        told.set(Status::success);
    }
    void queue_pair_closed() override {}
};

// A queue pair with the test as its peer.
struct Connection {
    Connection(const Ref<soft::SoftAdapter>& adapter, const Ref<TransportCompletionQueue>& completions,
               const soft::TokenTable& peer_tokens) {
        queue_pair = Ref<soft::SoftQueuePair>(static_cast<soft::SoftQueuePair*>(
            adapter->create_queue_pair({{4, 4, 4, 4, 8}, completions, completions, nullptr}).take().get()));
        const Ref<Arena> arena = Arena::create().take();
        Lane& lane = arena->segment(0).lanes[1];
        access = &lane.access;
        peer = std::make_unique<Producer>(lane, *make_ref<LinkMemory>(nullptr, arena, 1), 0);
        auto reached = std::make_unique<PeerMemory>(PeerMemory::Reach::mapping_only, 0, [](std::uint32_t) {});
        channel = make_ref<RingChannel>(RingChannel::Parts{make_ref<LinkMemory>(nullptr, arena, 0), 0, Side::active,
                                                           &adapter->tokens(), soft::PeerTokenTable::own(peer_tokens),
                                                           nullptr, std::move(reached), false, 1});
        EXPECT_TRUE(queue_pair->attach(Ref<soft::Channel>(channel), Ref<soft::ConnectionEnd>(end), {4, 4}));
    }
    ~Connection() {
        channel->end_peer();
        if (!closed) close();
    }
    // The program releases the queue pair.
    void close() {
        closed = true;
        queue_pair->end(Status::canceled);
        queue_pair->close();
    }
    // Its request is in flight, and the peer says that it is at it.
    void send_and_claim_taking() {
        access->taking.store(1);
        std::array<std::byte, 8> bytes{};
        const Sge sge{bytes.data(), bytes.size(), Token::none};
        EXPECT_EQ(queue_pair->post({Operation::send, RequestFlags::inline_data, nullptr, {&sge, 1}}), Status::success);
    }
    // A Read of the peer's octets is in flight; and its answer arrives.
    void read(soft::TokenTable& peer_tokens, const Sge& into) {
        constexpr std::uint64_t kAddress = 0x10000;
        const auto tokens = peer_tokens.reserve({kAddress, into.length, Access::remote_read, {}}).value();
        peer_tokens.enable(tokens);
        WorkRequest request;
        request.operation = Operation::read;
        request.sges = {&into, 1};
        request.remote_address = kAddress;
        request.remote_token = tokens.remote;
        ASSERT_EQ(queue_pair->post(request), Status::success);
    }
    void answer(std::uint32_t bytes) {
        ASSERT_NE(peer->reserve(bytes), nullptr);
        peer->publish({FrameKind::read_reply, kFirst | kLast, bytes, bytes}, 0);
    }
    void claim_access(Token token) { access->token.store(static_cast<std::uint32_t>(token)); }
    // The peer asks for the first octets of the region, and says that it takes the answer and is at it.
    void read_and_claim_taking(const TransportMemory& region, const std::byte* from) {
        constexpr std::uint32_t kBytes = 8;
        ASSERT_NE(peer->reserve(0), nullptr);
        peer->publish({FrameKind::read_request, kFirst | kLast, 0, kBytes, value(region.remote_token()),
                       reinterpret_cast<std::uint64_t>(from)},
                      0);
        (void)queue_pair->serve();
        access->taking.store(1);
    }

    Ref<ToldEnd> end = make_ref<ToldEnd>();
    Ref<soft::SoftQueuePair> queue_pair;
    Ref<RingChannel> channel;
    Lane::Access* access;
    std::unique_ptr<Producer> peer;
    bool closed = false;
};

class AccessEndTest : public testing::Test {
protected:
    using Seconds = std::chrono::duration<double>;

    AccessEndTest() {
        std::vector<std::unique_ptr<soft::Wire>> wires;
        wires.push_back(std::make_unique<shm::ShmWire>());
        transport_ = std::make_unique<soft::SoftTransport>(loop_, memory_, std::move(wires));
        adapter_ = Ref<soft::SoftAdapter>(
            static_cast<soft::SoftAdapter*>(transport_->open(Interface{}, Face::nd2).take().get()));
        completions_ = adapter_->create_completion_queue(64, NotifyRule::level, events_).take();
    }
    ~AccessEndTest() override { completions_->close(); }

    Ref<TransportMemory> region() {
        return adapter_->register_memory(bytes_.data(), bytes_.size(), Access::remote_read).take();
    }
    static Seconds deregister(TransportMemory& region) {
        const auto start = std::chrono::steady_clock::now();
        region.deregister();
        return std::chrono::steady_clock::now() - start;
    }

    EventLoop loop_;
    MappableMemory memory_;
    std::unique_ptr<soft::SoftTransport> transport_;
    Ref<soft::SoftAdapter> adapter_;
    test::CountingSink events_;
    Ref<TransportCompletionQueue> completions_;
    soft::TokenTable peer_tokens_ = soft::TokenTable::create().take();
    std::array<std::byte, 64> bytes_{};
};

TEST_F(AccessEndTest, WaitsOnceForAllWhoDoNotLeaveAndEndsTheirConnections) {
    support::proves("ND2-MR-DEREG-02");
    const Connection honest(adapter_, completions_, peer_tokens_);
    std::array<Connection, 3> liars{Connection(adapter_, completions_, peer_tokens_),
                                    Connection(adapter_, completions_, peer_tokens_),
                                    Connection(adapter_, completions_, peer_tokens_)};
    const auto first = region(), second = region();
    for (Connection& liar : liars) liar.claim_access(first->remote_token());
    EXPECT_LT(deregister(*first).count(), 4) << "each of three liars was waited for by itself";
    for (const Connection& liar : liars) {
        EXPECT_TRUE(liar.end->failed);
        EXPECT_EQ(liar.queue_pair->state(), QueuePairState::error);
    }
    EXPECT_FALSE(honest.end->failed);
    EXPECT_EQ(honest.queue_pair->state(), QueuePairState::attached);

    for (Connection& liar : liars) liar.claim_access(second->remote_token());
    EXPECT_LT(deregister(*second).count(), 1) << "who lied was waited for again";
}

TEST_F(AccessEndTest, APeerOfAQueuePairThatIsClosedIsWaitedForToo) {
    support::proves("ND2-MR-DEREG-02");
    Connection in_access(adapter_, completions_, peer_tokens_), elsewhere(adapter_, completions_, peer_tokens_);
    const auto first = region(), second = region();
    in_access.claim_access(first->remote_token());
    elsewhere.claim_access(second->remote_token());
    in_access.close();
    elsewhere.close();
    elsewhere.claim_access(Token::none);  // it has left, and begins no access any more
    EXPECT_GT(deregister(*first).count(), 1) << "the peer may still write";
    in_access.claim_access(second->remote_token());
    EXPECT_LT(deregister(*second).count(), 1) << "a peer was waited for again";
}

TEST_F(AccessEndTest, ThreadsThatFailAQueuePairDoNotWaitForItsPeer) {
    support::proves("ND2-QP-FLUSH-05", "ND2-GEN-10");
    std::array<Connection, 3> liars{Connection(adapter_, completions_, peer_tokens_),
                                    Connection(adapter_, completions_, peer_tokens_),
                                    Connection(adapter_, completions_, peer_tokens_)};
    for (Connection& liar : liars) liar.send_and_claim_taking();
    test::Heard others;
    const auto start = std::chrono::steady_clock::now();
    Completion completion;
    std::size_t given_up = 0;
    loop_.schedule(now(), [&] {
        for (const Connection& liar : liars) liar.queue_pair->fail();
        given_up = completions_->poll({&completion, 1});
        others.set(Status::success);
    });
    ASSERT_EQ(others.wait(), Status::success);
    EXPECT_EQ(given_up, 0u) << "the service thread stood still until a peer's time was over";

    for (std::size_t told = 0; told < liars.size();) {
        ASSERT_LT(Seconds(std::chrono::steady_clock::now() - start).count(), 30) << "a request has no result";
        if (completions_->poll({&completion, 1}) == 0) continue;
        EXPECT_EQ(completion.status, Status::canceled);
        ++told;
    }
    EXPECT_GT(Seconds(std::chrono::steady_clock::now() - start).count(), 1) << "memory was given back at once";
}

TEST_F(AccessEndTest, TheEndOfAWindowDoesNotWaitForAPeerOnTheServiceThread) {
    support::proves("ND2-QP-INV-03", "ND2-OVL-24");
    constexpr std::uint32_t kBytes = 8;
    Connection liar(adapter_, completions_, peer_tokens_);
    const auto memory =
        adapter_->register_memory(bytes_.data(), bytes_.size(), Access::remote_read | Access::read_sink).take();
    const auto window =
        adapter_->bind_window(*liar.queue_pair, *memory, bytes_.data(), bytes_.size(), Access::remote_read, {}).take();
    WorkRequest request;
    request.extra = window.get();
    request.operation = Operation::bind;
    ASSERT_EQ(liar.queue_pair->post(request), Status::success);
    liar.read(peer_tokens_, {bytes_.data(), kBytes, memory->local_token()});
    request.operation = Operation::invalidate;
    request.flags = RequestFlags::read_fence;  // it waits for the Read, and not in the call that posts it
    ASSERT_EQ(liar.queue_pair->post(request), Status::success);
    liar.claim_access(window->remote_token());
    liar.answer(kBytes);

    test::Heard others;
    const auto start = std::chrono::steady_clock::now();
    bool taken_from_peer = false;
    loop_.schedule(now(), [&] {
        (void)liar.queue_pair->serve();
        taken_from_peer = liar.end->failed;
        others.set(Status::success);
    });
    ASSERT_EQ(others.wait(), Status::success);
    EXPECT_FALSE(taken_from_peer) << "the service thread stood still until the peer's time was over";

    EXPECT_EQ(liar.end->told.wait(), Status::success) << "the peer was believed for good";
    EXPECT_GT(Seconds(std::chrono::steady_clock::now() - start).count(), 1);
    std::array<Completion, 4> completions;
    ASSERT_EQ(completions_->poll(completions), 3u);
    EXPECT_EQ(completions[1].operation, Operation::read);
    EXPECT_EQ(completions[2].operation, Operation::invalidate);
    EXPECT_EQ(completions[2].status, Status::success);
    memory->deregister();
}

// This side has only a receive outstanding; the peer is busy with the answer to a Read of its own.
TEST_F(AccessEndTest, AQueuePairThatItsPeerHoldsUpIsSettledWithoutAPoll) {
    support::proves("ND2-QP-FLUSH-05", "ND2-QP-ERR-01");
    Connection liar(adapter_, completions_, peer_tokens_);
    const auto memory = region();
    std::array<std::byte, 8> received{};
    const Sge sge{received.data(), received.size(), Token::none};
    ASSERT_EQ(liar.queue_pair->post({Operation::receive, RequestFlags::none, nullptr, {&sge, 1}}), Status::success);
    liar.read_and_claim_taking(*memory, bytes_.data());
    completions_->arm(NotifyKind::any);
    liar.queue_pair->fail();
    EXPECT_FALSE(liar.end->failed) << "the peer held nothing up";

    EXPECT_EQ(events_.event.wait(), Status::success) << "the receive was not flushed";
    EXPECT_EQ(liar.end->told.wait(), Status::success) << "the failure was not told";
    Completion completion;
    ASSERT_EQ(completions_->poll({&completion, 1}), 1u);
    EXPECT_EQ(completion.status, Status::canceled);
    EXPECT_EQ(completion.operation, Operation::receive);
    memory->deregister();
}

}  // namespace
}  // namespace opennd::local
