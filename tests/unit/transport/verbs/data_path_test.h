// SPDX-License-Identifier: MIT
// An open of a fake device with two queue pairs, each with a completion queue, connected by hand.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "support/deadline.h"
#include "transport/verbs/adapter.h"
#include "transport/verbs/connection/event_channel.h"
#include "transport/verbs/device/reaper.h"
#include "transport/verbs/queue/hardware_queue_pair.h"
#include "unit/transport/verbs/fake_cm.h"
#include "unit/transport/verbs/fake_device.h"

namespace opennd::verbs {

struct CountingSink final : CompletionQueueSink {
    void on_completion_event(NotifyKind) override { ++events; }
    void on_overrun() override { ++overruns; }
    ProcessorGroup processors() const override { return wanted; }
    ProcessorGroup wanted;
    std::atomic<int> events{0}, overruns{0};
};

struct CountingEnd final : ConnectionEnd {
    void queue_pair_failed() override { ++failed; }
    void queue_pair_closed() override { ++closed; }
    // It fails once: the service thread may tell a moment after the result is there.
    bool comes_to_fail() const {
        return support::wait_until([this] { return failed != 0; }) && failed == 1;
    }
    std::atomic<int> failed{0}, closed{0};
};

// One end of the connection.
struct Side {
    CountingSink sink;
    Ref<TransportCompletionQueue> queue;
    Ref<HardwareQueuePair> pair;
    Ref<CountingEnd> end = make_ref<CountingEnd>();
    std::array<std::byte, 4096> memory{};
    Ref<TransportMemory> region;

    Sge entry(std::size_t at, std::uint32_t bytes) { return {memory.data() + at, bytes, region->local_token()}; }
    std::vector<Completion> poll(std::size_t most = 64) {
        std::vector<Completion> results(most);
        results.resize(queue->poll(results));
        return results;
    }
    // Results that a first poll makes, too: it may end a queue pair.
    std::vector<Completion> poll_all() {
        std::vector<Completion> results = poll();
        for (const Completion& each : poll()) results.push_back(each);
        return results;
    }
};

class DataPathTest : public testing::Test {
protected:
    static constexpr std::uint32_t kDepth = 8;

    explicit DataPathTest(const Quirks& quirks = {}, ibv_transport_type type = IBV_TRANSPORT_IB) : fake_(type) {
        core_ = {fake_.functions(), cm_.functions()};
        channel_ = EventChannel::open(cm_.functions(), loop_, *reaper_).take();
        DeviceFacts facts = facts_of(core_.ibv, fake_.context(), 1);
        facts.quirks = quirks;
        device_ = Device::create({core_, loop_, *reaper_, *channel_}, fake_.context(), facts).take();
        can_ = find_limits(*device_).take();
        adapter_ = VerbsAdapter::create(device_, can_, rule_).take();
    }
    ~DataPathTest() override {
        close();
        adapter_ = nullptr;
        loop_.remove(device_->completion_channel()->fd);
        loop_.remove(fake_.context()->async_fd);
        turn();
        // Its calls hold references for a moment longer than what they did shows.
        EXPECT_TRUE(support::wait_until([this] { return reaper_->threads() == 0; }));
        const FakeDevice::Counts left = fake_.counts();
        EXPECT_EQ(left.queue_pairs, 0);
        EXPECT_EQ(left.queues, 0);
        EXPECT_EQ(left.regions, 0);
        EXPECT_EQ(left.domains, 0);
        EXPECT_EQ(left.shared_queues, 0);
        EXPECT_EQ(left.windows, 0);
    }

    void close() {
        for (Side* const side : {&here_, &there_}) {
            if (side->pair) side->pair->close();
            if (side->queue) side->queue->close();
            if (side->region) side->region->deregister();
            side->pair = nullptr;
            side->queue = nullptr;
            side->region = nullptr;
        }
        turn();
    }

    void make(Side& side, NotifyRule rule = NotifyRule::level, std::uint32_t queue_depth = 64) {
        side.queue = adapter_->create_completion_queue(queue_depth, rule, side.sink).take();
        QueuePairParameters parameters;
        parameters.limits = {kDepth, kDepth, 4, 4, 64};
        parameters.receive_completion_queue = parameters.initiator_completion_queue = side.queue;
        parameters.context = &side;
        side.pair = HardwareQueuePair::create(adapter_, parameters).take();
        side.region = adapter_
                          ->register_memory(side.memory.data(), side.memory.size(),
                                            Access::local_write | Access::remote_read | Access::remote_write)
                          .take();
    }
    void connect(Side& side, Start start = Start::now, const ReadLimits& limits = {16, 16},
                 const std::optional<MessageLimit>& messages = std::nullopt) {
        ASSERT_TRUE(side.pair->begin_attempt(this));
        ibv_qp_attr attributes{};
        attributes.qp_state = IBV_QPS_RTS;
        ASSERT_EQ(side.pair->modify(attributes, IBV_QP_STATE), Status::success);
        ASSERT_TRUE(side.pair->attach(side.end, limits, start, messages));
    }
    // Both sides were made.
    void join() {
        fake_.connect(here_.pair->number(), there_.pair->number());
        connect(here_);
        connect(there_);
    }
    void connect_both() {
        make(here_);
        make(there_);
        join();
    }

    Status post(Side& side, Operation operation, std::vector<Sge> entries, RequestFlags flags = RequestFlags::none,
                std::uintptr_t context = 1, RequestExtra extra = {}) {
        WorkRequest request;
        request.operation = operation;
        request.flags = flags;
        request.context = reinterpret_cast<void*>(context);
        request.sges = entries;
        request.extra = extra;
        if (operation == Operation::read || is_write(operation)) {
            Side& other = &side == &here_ ? there_ : here_;
            request.remote_address = reinterpret_cast<std::uint64_t>(other.memory.data());
            request.remote_token = other.region->remote_token();
        }
        return side.pair->post(request);
    }

    // Returns when the loop has run what was there before, watchers too.
    void turn() {
        for (int i = 0; i < 3; ++i) {
            std::promise<void> done;
            loop_.post([&] { done.set_value(); });
            done.get_future().wait();
        }
    }

    Journal journal_;
    FakeCm cm_{journal_};
    FakeDevice fake_;
    RdmaCore core_{};
    EventLoop loop_;
    const Ref<Reaper> reaper_ = make_ref<Reaper>(loop_, std::chrono::milliseconds(1));
    std::unique_ptr<EventChannel> channel_;
    Ref<Device> device_;
    DeviceLimits can_{};
    std::atomic<OverrunRule> rule_{OverrunRule::forgiving};
    Ref<VerbsAdapter> adapter_;
    Side here_, there_;
};

}  // namespace opennd::verbs
