// SPDX-License-Identifier: MIT
// Several event loops: which one takes the arrivals of a completion queue, and what happens to messages while that changes.
#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "connected_pair.h"
#include "support/deadline.h"
#include "support/requirement.h"
#include "transport/soft/engine/services.h"

namespace opennd::soft {
namespace {

using support::proves;
using test::ConnectedPair;
using test::Side;
using test::WireKind;

constexpr QueuePairLimits kLimits{64, 64, 4, 4, 256};

Settings with_loops(std::size_t loops, std::uint32_t most_patience = 1u << 16) {
    Settings settings;
    settings.loops = loops;
    settings.most_patience = most_patience;
    return settings;
}

class Loops : public testing::Test {
protected:
    explicit Loops(WireKind wire = WireKind::iwarp, const Settings& settings = with_loops(3))
        : pair_(wire, kLimits, std::nullopt, {.settings = settings}) {}

    static SoftQueuePair& soft(Side& side) { return static_cast<SoftQueuePair&>(*side.queue_pair); }
    static std::size_t loop_of(Side& side) { return soft(side).service().loop().number(); }
    Services& services() { return static_cast<OpenAdapter&>(*pair_.active.adapter).services(); }
    // Runs in a thread of its own.
    template <typename Function>
    static void elsewhere(Function function) {
        std::thread(function).join();
    }
    static void arm(Side& side) { side.completions->arm(NotifyKind::any); }
    void post_receive(Side& side) {
        WorkRequest request;
        request.operation = Operation::receive;
        EXPECT_EQ(side.queue_pair->post(request), Status::success);
    }
    void send(Side& side) {
        WorkRequest request;
        request.operation = Operation::send;
        EXPECT_EQ(side.queue_pair->post(request), Status::success);
    }

    ConnectedPair pair_;
};

TEST_F(Loops, EverythingBeginsOnTheFirstOne) {
    EXPECT_EQ(loop_of(pair_.active), 0u);
    EXPECT_EQ(loop_of(pair_.passive), 0u);
}

TEST_F(Loops, ThreadsThatArmHaveThemInTurnAndQueuesFollow) {
    proves("ND2-CQ-NTF-09");
    arm(pair_.active);
    EXPECT_EQ(loop_of(pair_.active), 0u) << "the first thread has the first loop";
    elsewhere([&] {
        arm(pair_.passive);
        EXPECT_EQ(loop_of(pair_.passive), 1u);
        arm(pair_.passive);
        EXPECT_EQ(loop_of(pair_.passive), 1u) << "the thread has its loop for good";
    });
    EXPECT_EQ(loop_of(pair_.active), 0u);
}

TEST_F(Loops, AMessageIsToldInTheLoopToWhichTheQueueMoved) {
    proves("ND2-CQ-NTF-09", "ND2-CQ-NTF-08");
    arm(pair_.active);
    post_receive(pair_.passive);
    elsewhere([&] { arm(pair_.passive); });
    send(pair_.active);
    EXPECT_EQ(pair_.passive.events.event.wait(), Status::success);
    EXPECT_EQ(pair_.passive.next().status, Status::success);
    EXPECT_EQ(pair_.active.next().status, Status::success);
}

TEST_F(Loops, AQueueNeedsMoreArmsInARowForEachFurtherMove) {
    arm(pair_.passive);  // this thread has the first loop
    elsewhere([&] { arm(pair_.passive); });
    EXPECT_EQ(loop_of(pair_.passive), 1u);
    arm(pair_.passive);
    EXPECT_EQ(loop_of(pair_.passive), 1u) << "the second move needs two arms in a row";
    arm(pair_.passive);
    EXPECT_EQ(loop_of(pair_.passive), 0u);
    elsewhere([&] {  // has the third loop
        for (int times = 0; times < 3; ++times) arm(pair_.passive);
        EXPECT_EQ(loop_of(pair_.passive), 0u);
        arm(pair_.passive);
        EXPECT_EQ(loop_of(pair_.passive), 2u);
    });
}

TEST_F(Loops, AnArmInACallbackMovesNothing) {
    std::atomic<bool> done = false;
    pair_.loop.post([&] {
        arm(pair_.passive);
        done = true;
    });
    EXPECT_TRUE(support::wait_until([&] { return done.load(); }));
    elsewhere([&] {
        arm(pair_.passive);
        EXPECT_EQ(loop_of(pair_.passive), 0u) << "the callback took no loop, and this is the first thread";
    });
}

// The passive program neither polls nor waits: its side of each Write is carried out by a loop.
TEST_F(Loops, AQueueThatKeepsALoopBusyGetsTheNextOne) {
    proves("ND2-OVL-24");
    ASSERT_EQ(services().next().loop().number(), 0u);  // as if another queue had been busy before
    std::array<std::byte, 64> from{}, to{};
    const auto source = pair_.active.adapter->register_memory(from.data(), from.size(), Access::local_write).take();
    const auto target =
        pair_.passive.adapter->register_memory(to.data(), to.size(), Access::local_write | Access::remote_write).take();
    const Sge sge{from.data(), static_cast<std::uint32_t>(from.size()), source->local_token()};
    std::uint32_t writes = 0;
    EXPECT_TRUE(support::wait_until([&] {
        WorkRequest request;
        request.operation = Operation::write;
        request.sges = {&sge, 1};
        request.remote_address = reinterpret_cast<std::uint64_t>(to.data());
        request.remote_token = target->remote_token();
        from[0] = static_cast<std::byte>(++writes);
        EXPECT_EQ(pair_.active.queue_pair->post(request), Status::success);
        EXPECT_EQ(pair_.active.next().status, Status::success);
        EXPECT_EQ(to[0], from[0]);
        return loop_of(pair_.passive) == 1;
    }));
    EXPECT_EQ(loop_of(pair_.active), 0u) << "it is polled";
    source->deregister();
    target->deregister();
}

class OneLoop : public Loops {
protected:
    OneLoop() : Loops(WireKind::iwarp, with_loops(1)) {}
};

TEST_F(OneLoop, IsTheLoopOfEveryThread) {
    arm(pair_.active);
    elsewhere([&] { arm(pair_.passive); });
    EXPECT_EQ(loop_of(pair_.passive), 0u);
}

class LoopsOverSharedMemory : public Loops {
protected:
    LoopsOverSharedMemory() : Loops(WireKind::shm) {}
};

TEST_F(LoopsOverSharedMemory, AreTheFirstOne) {
    arm(pair_.active);
    elsewhere([&] { arm(pair_.passive); });
    EXPECT_EQ(loop_of(pair_.passive), 0u);
}

class RestlessQueue : public Loops {
protected:
    RestlessQueue() : Loops(WireKind::iwarp, with_loops(3, 1)) {}
};

// Each arm by one of two threads moves the queue, while messages come.
TEST_F(RestlessQueue, LosesAndDoublesNoMessage) {
    proves("ND2-CQ-NTF-08", "ND2-QP-SEND-04");
    constexpr int kMessages = 300;
    std::atomic<bool> over = false;
    std::thread restless([&] {
        while (!over) arm(pair_.passive);
    });
    for (int message = 0; message < kMessages; ++message) {
        post_receive(pair_.passive);
        send(pair_.active);
        arm(pair_.passive);
        EXPECT_TRUE(support::wait_until([&] { return pair_.passive.completions->count_waiting().all == 1; }))
            << "message " << message << ": no thread polls, and a loop takes it";
        EXPECT_EQ(pair_.passive.next().status, Status::success);
        EXPECT_EQ(pair_.active.next().status, Status::success);
    }
    over = true;
    restless.join();
    Completion none;
    EXPECT_EQ(pair_.passive.completions->poll({&none, 1}), 0u);
}

}  // namespace
}  // namespace opennd::soft
