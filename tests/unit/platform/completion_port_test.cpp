// SPDX-License-Identifier: MIT
// Completion ports: order, one waiter per packet, deadlines, closing, and the descriptor.
#include "platform/waiting/completion_port.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "support/requirement.h"
#include "unit/platform/open_descriptors.h"
#include "unit/platform/readable.h"

namespace opennd {
namespace {

using support::proves;

using namespace std::chrono_literals;

constexpr SteadyTime kLookOnce{};

class CompletionPortTest : public testing::Test {
protected:
    void TearDown() override {
        port_ = nullptr;
        EXPECT_EQ(open_descriptors(), descriptors_before_);
    }
    void post(std::uintptr_t key) { port_->post({.key = key}); }
    Status take_one(std::optional<SteadyTime> deadline = kLookOnce) {
        return port_->wait(std::span(packets_).first(1), deadline).status();
    }

    const std::size_t descriptors_before_ = open_descriptors();
    Ref<CompletionPort> port_ = CompletionPort::create().take();
    std::array<CompletionPacket, 8> packets_;
};

TEST_F(CompletionPortTest, DeliversWhatWasPosted) {
    proves("ND2-OVL-11");
    int request = 0;
    port_->post({.key = 1, .overlapped = &request, .status = 0xC0000120, .bytes = 4});
    ASSERT_EQ(port_->wait(packets_, std::nullopt).value(), 1u);
    EXPECT_EQ(packets_[0].key, 1u);
    EXPECT_EQ(packets_[0].overlapped, &request);
    EXPECT_EQ(packets_[0].status, 0xC0000120u);
    EXPECT_EQ(packets_[0].bytes, 4u);
}

TEST_F(CompletionPortTest, IsFirstInFirstOut) {
    proves("ND2-OVL-10");
    for (std::uintptr_t key = 0; key < 20; ++key) post(key);
    std::uintptr_t expected = 0;
    for (auto count = port_->wait(packets_, kLookOnce); count.ok(); count = port_->wait(packets_, kLookOnce))
        for (std::size_t i = 0; i < count.value(); ++i) EXPECT_EQ(packets_[i].key, expected++);
    EXPECT_EQ(expected, 20u);
}

TEST_F(CompletionPortTest, TakesNoMoreThanThereIsRoomFor) {
    for (std::uintptr_t key = 0; key < 3; ++key) post(key);
    EXPECT_EQ(port_->wait(std::span(packets_).first(2), kLookOnce).value(), 2u);
    EXPECT_EQ(port_->wait(packets_, kLookOnce).value(), 1u);
    EXPECT_EQ(port_->wait({}, kLookOnce).status(), Status::invalid_parameter);
}

TEST_F(CompletionPortTest, WaitsUntilTheDeadline) {
    EXPECT_EQ(take_one(), Status::timed_out);
    const SteadyTime deadline = now() + 3ms;
    EXPECT_EQ(take_one(deadline), Status::timed_out);
    EXPECT_GE(now(), deadline);
}

TEST_F(CompletionPortTest, TheDescriptorIsReadableExactlyWhilePacketsWait) {
    post(1);
    const int fd = port_->descriptor();
    EXPECT_TRUE(readable(fd));
    post(2);
    EXPECT_EQ(take_one(), Status::success);
    EXPECT_TRUE(readable(fd));
    EXPECT_EQ(take_one(), Status::success);
    EXPECT_FALSE(readable(fd));
    post(3);
    EXPECT_TRUE(readable(fd));
    port_->close();
    EXPECT_FALSE(readable(fd));
    EXPECT_EQ(port_->descriptor(), fd);
}

TEST_F(CompletionPortTest, ClosingDropsPacketsAndLaterPosts) {
    proves("ND2-FILE-02");
    post(1);
    port_->close();
    EXPECT_EQ(take_one(std::nullopt), Status::canceled);
    post(2);
    EXPECT_EQ(take_one(std::nullopt), Status::canceled);
    EXPECT_FALSE(readable(port_->descriptor()));
}

TEST_F(CompletionPortTest, ClosingWakesEveryWaiter) {
    std::vector<std::thread> waiters;
    for (int t = 0; t < 3; ++t)
        waiters.emplace_back([this] {
            CompletionPacket packet;
            EXPECT_EQ(port_->wait({&packet, 1}, std::nullopt).status(), Status::canceled);
        });
    port_->on_close();
    for (std::thread& waiter : waiters) waiter.join();
}

// Three posting threads and three waiting ones: nothing is lost or doubled, and each poster's packets keep their order.
TEST_F(CompletionPortTest, EachPacketGoesToOneOfManyWaiters) {
    constexpr std::size_t kThreads = 3;
    constexpr std::size_t kEach = 2000;
    const int fd = port_->descriptor();
    std::vector<std::atomic<int>> seen(kThreads * kEach);
    std::atomic<std::size_t> total{0};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            for (std::size_t i = 0; i < kEach; ++i) port_->post({.key = t, .bytes = static_cast<std::uint32_t>(i)});
        });
        threads.emplace_back([&, t] {
            std::vector<std::int64_t> last(kThreads, -1);
            std::array<CompletionPacket, 4> mine;
            for (;;) {
                const auto count = port_->wait(std::span(mine).first(1 + t), std::nullopt);
                if (!count.ok()) return;
                for (std::size_t i = 0; i < count.value(); ++i) {
                    EXPECT_GT(std::int64_t{mine[i].bytes}, last[mine[i].key]);
                    last[mine[i].key] = mine[i].bytes;
                    ++seen[mine[i].key * kEach + mine[i].bytes];
                }
                if ((total += count.value()) == kThreads * kEach) port_->close();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::atomic<int>& times : seen) EXPECT_EQ(times, 1);
    EXPECT_FALSE(readable(fd));
}

}  // namespace
}  // namespace opennd
