// SPDX-License-Identifier: MIT
// The deadline of a connection whose wire is the test.
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "scripted_queue_pair.h"
#include "support/deadline.h"
#include "transport/soft/connection/connection.h"

namespace opennd::soft {
namespace {

class TimedConnection final : public Connection {
public:
    explicit TimedConnection(Ref<SoftAdapter> adapter)
        : Connection(std::move(adapter), "test", State::idle, PeerHolds::nothing) {}

    std::atomic<int> passed{0};

    void begin(std::chrono::milliseconds from_now) EXCLUDES(mutex_) {
        const Held lock(mutex_);
        set_deadline(from_now);
    }
    // Clears the deadline when it has run out, and its thread waits for the lock, so that the loop cannot take the timer back.
    void clear_behind_its_timer() EXCLUDES(mutex_) {
        constexpr int kTurns = 1000;  // of this thread, in which the loop goes on from one timer to the next
        const auto before = std::make_shared<std::promise<void>>();
        const Held lock(mutex_);
        adapter_->event_loop().schedule(now() + std::chrono::milliseconds(1), [before] { before->set_value(); });
        set_deadline(std::chrono::milliseconds(1));
        before->get_future().wait();
        for (int turn = 0; turn < kTurns; ++turn) std::this_thread::yield();
        clear_deadline();
    }
    void connect(const Address&, PortOrigin, const Address&, const ReadLimits&, std::span<const std::byte>,
                 Ref<TransportQueuePair>) override {}
    void complete() override {}
    void accept(Ref<TransportQueuePair>, const ReadLimits&, std::span<const std::byte>) override {}
    void reject(std::span<const std::byte>) override {}
    ConnectionPath path() const override { return {}; }

private:
    void withdraw(Withdrawal) override REQUIRES(mutex_) { conclude(); }
    void refuse(std::span<const std::byte>) override REQUIRES(mutex_) { conclude(); }
    bool peer_has_completed() const override { return false; }
    Call on_deadline() override { return ++passed, Call(); }
    bool tell_finished() override { return true; }
    Call take_as_end() override { return {}; }
    void let_go() override {}
};

class ConnectionDeadline : public test::ScriptedQueuePair {
protected:
    ~ConnectionDeadline() override { connection_->end(Ending::cancel); }
    // The loop has done all that was due before.
    void await_loop() {
        const auto done = std::make_shared<std::promise<void>>();
        loop_.post([done] { done->set_value(); });
        done->get_future().wait();
    }

    const Ref<TimedConnection> connection_ =
        make_ref<TimedConnection>(Ref<SoftAdapter>(static_cast<SoftAdapter*>(adapter_.get())));
};

TEST_F(ConnectionDeadline, IsToldOnceItHasPassed) {
    connection_->begin(std::chrono::milliseconds(1));
    EXPECT_TRUE(support::wait_until([this] { return connection_->passed == 1; }));
    await_loop();
    EXPECT_EQ(connection_->passed, 1);
}

TEST_F(ConnectionDeadline, IsNotToldOnceItWasCleared) {
    connection_->clear_behind_its_timer();
    await_loop();
    EXPECT_EQ(connection_->passed, 0);
}

}  // namespace
}  // namespace opennd::soft
