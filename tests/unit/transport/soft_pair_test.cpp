// SPDX-License-Identifier: MIT
// The software RNIC at the seam, over each wire: data, order, protection, waking, endings.
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/explanation.h"
#include "connected_pair.h"
#include "support/requirement.h"
#include "transport/soft/channel/channel_layer.h"

namespace opennd::test {
namespace {

using support::proves;

class SoftPair : public testing::TestWithParam<WireKind> {
protected:
    static constexpr Access kAll = Access::local_write | Access::remote_read | Access::remote_write;

    Ref<TransportMemory> register_on(Side& side, std::vector<std::byte>& buffer, Access access = kAll) {
        return side.adapter->register_memory(buffer.data(), buffer.size(), access).take();
    }
    static std::vector<std::byte> pattern(std::size_t bytes, std::size_t seed = 1) {
        std::vector<std::byte> data(bytes);
        for (std::size_t i = 0; i < bytes; ++i)
            data[i] = static_cast<std::byte>((i * 131 + seed * 7 + (i >> 8)) & 0xff);
        return data;
    }
    static Sge all_of(std::vector<std::byte>& buffer, const Ref<TransportMemory>& memory) {
        return {buffer.data(), static_cast<std::uint32_t>(buffer.size()), memory->local_token()};
    }

    ConnectedPair pair{GetParam()};
};

WorkRequest make(Operation operation, const Sge& sge, std::uint64_t context = 1) {
    WorkRequest request;
    request.operation = operation;
    request.context = reinterpret_cast<void*>(context);
    request.sges = {&sge, 1};
    return request;
}

// docs/decisions/0007. One thread plays both sides, so that nobody looked at the request before the reply was there.
TEST_P(SoftPair, AReplyNeverOvertakesTheRequestItAnswers) {
    for (const std::size_t bytes : {8ul, 4096ul, 20000ul, 1000000ul}) {
        std::vector<std::byte> ours(bytes), theirs(bytes);
        const auto here = register_on(pair.active, ours), there = register_on(pair.passive, theirs);
        ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::receive, all_of(theirs, there))), Status::success);
        ASSERT_EQ(pair.active.queue_pair->post(make(Operation::receive, all_of(ours, here))), Status::success);
        ASSERT_EQ(pair.active.queue_pair->post(make(Operation::send, all_of(ours, here))), Status::success);
        ASSERT_EQ(pair.passive.next().operation, Operation::receive);
        ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::send, all_of(theirs, there))), Status::success);
        EXPECT_EQ(pair.active.next().operation, Operation::send) << bytes;
        EXPECT_EQ(pair.active.next().operation, Operation::receive) << bytes;
        ASSERT_EQ(pair.passive.next().operation, Operation::send);
    }
}

TEST_P(SoftPair, SendsArriveWholeAtEverySize) {
    for (const std::size_t bytes : {0ul, 1ul, 95ul, 96ul, 97ul, 4096ul, 16384ul, 16385ul, 100000ul, 5000000ul}) {
        auto from = pattern(bytes + 1, bytes), to = std::vector<std::byte>(bytes + 1);
        const auto source = register_on(pair.active, from), target = register_on(pair.passive, to);
        Sge send = all_of(from, source), receive = all_of(to, target);
        send.length = static_cast<std::uint32_t>(bytes);
        ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::receive, receive)), Status::success);
        ASSERT_EQ(pair.active.queue_pair->post(make(Operation::send, send)), Status::success);
        Completion received, sent;
        bool have_received = false, have_sent = false;
        for (int i = 0; i < 1 << 28 && !(have_received && have_sent); ++i) {  // one thread polls for both
            have_received = have_received || pair.passive.completions->poll({&received, 1}) == 1;
            have_sent = have_sent || pair.active.completions->poll({&sent, 1}) == 1;
        }
        ASSERT_EQ(received.status, Status::success) << bytes;
        ASSERT_EQ(sent.status, Status::success) << bytes;
        EXPECT_EQ(received.length_bytes, bytes);
        EXPECT_EQ(std::memcmp(from.data(), to.data(), bytes), 0) << bytes;
        source->deregister();
        target->deregister();
    }
}

TEST_P(SoftPair, WritesAndReadsNeedNoCallAtTheTarget) {
    for (const std::size_t bytes : {1ul, 8ul, 4096ul, 100001ul, 3000000ul}) {
        auto local = pattern(bytes, bytes), remote = std::vector<std::byte>(bytes),
             back = std::vector<std::byte>(bytes);
        const auto l = register_on(pair.active, local), r = register_on(pair.passive, remote),
                   b = register_on(pair.active, back);
        WorkRequest write = make(Operation::write, all_of(local, l));
        const Sge source = all_of(local, l), sink = all_of(back, b);
        write.sges = {&source, 1};
        write.remote_address = reinterpret_cast<std::uint64_t>(remote.data());
        write.remote_token = r->remote_token();
        ASSERT_EQ(pair.active.queue_pair->post(write), Status::success);
        ASSERT_EQ(pair.active.next().status, Status::success);
        EXPECT_EQ(local, remote);
        WorkRequest read = write;
        read.operation = Operation::read;
        read.sges = {&sink, 1};
        ASSERT_EQ(pair.active.queue_pair->post(read), Status::success);
        ASSERT_EQ(pair.active.next().status, Status::success);
        EXPECT_EQ(local, back);
        for (const auto& memory : {l, r, b}) memory->deregister();
    }
}

TEST_P(SoftPair, ARefusedWriteEndsTheConnectionOnBothSides) {
    auto local = pattern(64), remote = pattern(64);
    const auto l = register_on(pair.active, local), r = register_on(pair.passive, remote, Access::remote_read);
    const Sge source = all_of(local, l), posted = all_of(remote, r);
    ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::receive, posted)), Status::success);
    WorkRequest write = make(Operation::write, source);
    write.remote_address = reinterpret_cast<std::uint64_t>(remote.data());
    write.remote_token = r->remote_token();
    ASSERT_EQ(pair.active.queue_pair->post(write), Status::success);
    EXPECT_EQ(pair.active.next().status, Status::remote_access_violation);
    EXPECT_EQ(pair.active.sink->disconnected.wait(), Status::connection_aborted);
    EXPECT_EQ(pair.passive.sink->disconnected.wait(), Status::connection_aborted);
    pair.passive.queue_pair->end(Status::canceled);
    EXPECT_EQ(pair.passive.next().status, Status::canceled);
    EXPECT_EQ(remote, pattern(64));
    l->deregister();
    r->deregister();
}

TEST_P(SoftPair, AnArmedQueueIsWokenThoughNobodyPolls) {
    auto from = pattern(64), to = std::vector<std::byte>(64);
    const auto source = register_on(pair.active, from), target = register_on(pair.passive, to);
    const Sge send = all_of(from, source), receive = all_of(to, target);
    for (int round = 0; round < 100; ++round) {
        ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::receive, receive)), Status::success);
        pair.passive.completions->arm(NotifyKind::any);
        pair.active.completions->arm(NotifyKind::any);
        ASSERT_EQ(pair.active.queue_pair->post(make(Operation::send, send)), Status::success);
        ASSERT_EQ(pair.passive.events.event.wait(), Status::success);
        ASSERT_EQ(pair.active.events.event.wait(), Status::success);
        Completion completion;
        ASSERT_EQ(pair.passive.completions->poll({&completion, 1}), 1u);
        ASSERT_EQ(pair.active.completions->poll({&completion, 1}), 1u);
    }
    source->deregister();
    target->deregister();
}

TEST_P(SoftPair, ASendWithoutAReceiveTimesOut) {
    auto from = pattern(64);
    const auto source = register_on(pair.active, from);
    const Sge send = all_of(from, source);
    ASSERT_EQ(pair.active.queue_pair->post(make(Operation::send, send)), Status::success);
    pair.active.completions->arm(NotifyKind::any);
    EXPECT_EQ(pair.active.next().status, Status::timed_out);
    source->deregister();
}

TEST_P(SoftPair, ADisconnectLeavesWhatIsOutstandingUntilTheEnd) {
    proves("ND1-EP-GEN-21", "ND1-CN-NDISC-04");
    auto from = pattern(64), to = pattern(64);
    const auto source = register_on(pair.passive, from), target = register_on(pair.passive, to);
    const Sge send = all_of(from, source), receive = all_of(to, target);
    ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::receive, receive)), Status::success);
    pair.active.connector->end(Ending::disconnect);
    ASSERT_EQ(pair.passive.sink->disconnected.wait(), Status::disconnected);
    ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::send, send)), Status::success);
    Completion none[1];
    EXPECT_EQ(pair.passive.completions->poll(none), 0u);
    pair.passive.queue_pair->end(Status::canceled);
    EXPECT_EQ(pair.passive.next().status, Status::canceled);
    EXPECT_EQ(pair.passive.next().status, Status::canceled);
    source->deregister();
    target->deregister();
}

// docs/decisions/0023
TEST_P(SoftPair, AnEndThatComesSoonFlushesByItself) {
    proves("ND2-CON-DISC-05");
    auto to = pattern(64);
    const auto target = register_on(pair.passive, to);
    const Sge receive = all_of(to, target);
    ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::receive, receive)), Status::success);
    pair.active.connector->end(Ending::disconnect);
    ASSERT_EQ(pair.passive.sink->disconnected.wait(), Status::disconnected);
    pair.passive.queue_pair->end_soon(Status::canceled);
    EXPECT_EQ(pair.passive.next().status, Status::canceled);
    target->deregister();
}

TEST_P(SoftPair, ARequestThatAPeerWhichLeftDidNotTakeTimesOut) {
    proves("ND1-EP-GEN-21");
    auto from = pattern(64);
    const auto source = register_on(pair.passive, from);
    const Sge send = all_of(from, source);
    pair.active.connector->end(Ending::disconnect);
    ASSERT_EQ(pair.passive.sink->disconnected.wait(), Status::disconnected);
    ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::send, send)), Status::success);
    ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::send, send)), Status::success);
    EXPECT_EQ(pair.passive.next().status, Status::timed_out);
    EXPECT_EQ(pair.passive.next().status, Status::canceled);
    source->deregister();
}

// The time of a request runs from when it is the oldest, not from the peer's end.
TEST_P(SoftPair, ARequestPostedLongAfterThePeerLeftHasItsWholeTime) {
    proves("ND1-EP-GEN-21");
    using std::chrono::milliseconds;
    constexpr milliseconds kBefore{900}, kLeast{1500};  // a look every 500 ms, four that find it
    auto from = pattern(64);
    const auto source = register_on(pair.passive, from);
    const Sge send = all_of(from, source);
    pair.active.connector->end(Ending::disconnect);
    ASSERT_EQ(pair.passive.sink->disconnected.wait(), Status::disconnected);
    Completion none[1];
    for (const auto left = std::chrono::steady_clock::now(); std::chrono::steady_clock::now() - left < kBefore;)
        ASSERT_EQ(pair.passive.completions->poll(none), 0u);
    const auto posted = std::chrono::steady_clock::now();
    ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::send, send)), Status::success);
    EXPECT_EQ(pair.passive.next().status, Status::timed_out);
    EXPECT_GE(std::chrono::steady_clock::now() - posted, kLeast);
    source->deregister();
}

TEST_P(SoftPair, ASendTakesAWindowAwayBeforeItIsReceived) {
    proves("ND1-EP-SINV-03", "ND1-MW-06", "ND1-CQ-08");
    auto memory = pattern(64);
    const auto region = register_on(pair.passive, memory, Access::local_write);
    int context = 0;
    const auto binding = pair.passive.adapter
                             ->bind_window(*pair.passive.queue_pair, *region, memory.data(), memory.size(),
                                           Access::remote_read, {.invalidated_context = &context})
                             .take();
    WorkRequest bind{Operation::bind, RequestFlags::silent_success, nullptr, {}};
    bind.extra = binding.get();
    ASSERT_EQ(pair.passive.queue_pair->post(bind), Status::success);
    ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::receive, {})), Status::success);
    WorkRequest send{Operation::send_and_invalidate, RequestFlags::none, nullptr, {}};
    send.remote_token = binding->remote_token();
    ASSERT_EQ(pair.active.queue_pair->post(send), Status::success);
    const Completion told = pair.passive.next();
    EXPECT_EQ(told.operation, Operation::remote_invalidation);
    EXPECT_EQ(told.request_context, &context);
    EXPECT_FALSE(binding->alive());
    const Completion received = pair.passive.next();
    EXPECT_EQ(received.operation, Operation::receive);
    EXPECT_EQ(received.invalidated, binding->remote_token());
    EXPECT_EQ(pair.active.next().status, Status::success);
    binding->end();
    region->deregister();
}

TEST_P(SoftPair, EntriesWithAndWithoutATokenGoTogether) {
    proves("ND1-EP-INL-02", "ND1-EP-INL-06");
    auto registered = pattern(64), loose = pattern(16), to = std::vector<std::byte>(80);
    const auto source = register_on(pair.active, registered), target = register_on(pair.passive, to);
    const Sge receive = all_of(to, target);
    ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::receive, receive)), Status::success);
    const Sge list[] = {{loose.data(), 16, Token::none}, all_of(registered, source)};
    const WorkRequest send{Operation::send, RequestFlags::inline_entries, nullptr, list};
    ASSERT_EQ(pair.active.queue_pair->post(send), Status::success);
    EXPECT_EQ(pair.passive.next().length_bytes, 80u);
    EXPECT_TRUE(std::equal(loose.begin(), loose.end(), to.begin()));
    EXPECT_TRUE(std::equal(registered.begin(), registered.end(), to.begin() + 16));
    EXPECT_EQ(pair.active.next().status, Status::success);
    source->deregister();
    target->deregister();
}

class Unheard final : public ListenerSink {
public:
    void on_request(Ref<TransportConnector>, ConnectionRequest) override {}
};

// Where a message is at the other end when its post returns.
class SharedMemoryPair : public SoftPair {};

TEST_P(SharedMemoryPair, WhatArrivedBeforeTheEndIsReceived) {
    proves("ND2-QP-RECV-05");
    constexpr int kPollsOfAPoller = 200;  // a poller's peer does not ring
    Completion none[1];
    ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::receive, {})), Status::success);
    ASSERT_EQ(pair.passive.queue_pair->post(make(Operation::receive, {})), Status::success);
    for (int i = 0; i < kPollsOfAPoller; ++i) ASSERT_EQ(pair.passive.completions->poll(none), 0u);
    ASSERT_EQ(pair.active.queue_pair->post(make(Operation::send, {})), Status::success);
    pair.passive.queue_pair->end(Status::canceled);
    EXPECT_EQ(pair.passive.next().status, Status::success);
    EXPECT_EQ(pair.passive.next().status, Status::canceled);
    EXPECT_EQ(pair.active.next().status, Status::success);
}

INSTANTIATE_TEST_SUITE_P(Wires, SharedMemoryPair, testing::Values(WireKind::loopback, WireKind::shm),
                         [](const auto& each) { return name(each.param); });

// Keeps the facts of the connections, and lies in none.
class FactsLayer final : public soft::ChannelLayer {
public:
    bool is_wanted() const override { return true; }
    Ref<soft::Channel> wrap(Ref<soft::Channel> channel, const soft::ConnectionFacts& facts) override {
        const std::lock_guard lock(mutex_);
        facts_.push_back(facts);
        return channel;
    }
    std::vector<soft::ConnectionFacts> facts() {
        const std::lock_guard lock(mutex_);
        return facts_;
    }

private:
    std::mutex mutex_;
    std::vector<soft::ConnectionFacts> facts_;
};

class LayeredPair : public testing::TestWithParam<WireKind> {};

TEST_P(LayeredPair, ALayerKnowsTheWireAndTheProcessAtTheOtherEnd) {
    FactsLayer layer;
    const ConnectedPair pair(GetParam(), {4, 4, 1, 1, 0}, std::nullopt, {.layer = layer});
    const std::vector<soft::ConnectionFacts> facts = layer.facts();
    ASSERT_EQ(facts.size(), 2u);
    for (const soft::ConnectionFacts& each : facts) {
        EXPECT_EQ(each.wire, GetParam() == WireKind::loopback ? "loopback" : "shm");
        EXPECT_EQ(each.peer_process, ::getpid());
        EXPECT_FALSE(each.under_way);
    }
    EXPECT_NE(facts[0].active, facts[1].active);
}

INSTANTIATE_TEST_SUITE_P(Wires, LayeredPair, testing::Values(WireKind::loopback, WireKind::shm),
                         [](const auto& each) { return name(each.param); });

TEST(SoftListener, SaysWhyTheSystemGivesItNoSuchAddress) {
    proves("ND2-LIS-BIND-01", "ND2-GEN-10");
    EventLoop loop;
    MappableMemory memory;
    std::vector<std::unique_ptr<soft::Wire>> wires;
    wires.push_back(std::make_unique<iwarp::IwarpWire>());
    soft::SoftTransport transport(loop, memory, std::move(wires));
    const auto adapter = transport.open(Interface{}, Face::nd2).take();
    const auto listener = adapter->create_listener(make_ref<Unheard>()).take();
    forget_last_failure();
    EXPECT_EQ(listener->bind(Address::parse("203.0.113.7")->with_port(0)).status(), Status::invalid_address);
    EXPECT_NE(std::string(last_failure().object).find("203.0.113.7"), std::string::npos);
    EXPECT_NE(std::string(last_failure().remedy).find("ip address"), std::string::npos);
    listener->close();
}

INSTANTIATE_TEST_SUITE_P(Wires, SoftPair, testing::Values(WireKind::loopback, WireKind::shm),
                         [](const auto& each) { return each.param == WireKind::loopback ? "Loopback" : "Shm"; });

}  // namespace
}  // namespace opennd::test
