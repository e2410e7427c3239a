// SPDX-License-Identifier: MIT
// The threads that read a channel's socket: the loop tells of room, pollers go on, looks wait for the next Write. The test is the peer.
#include <fcntl.h>

#include <array>
#include <functional>
#include <future>
#include <memory>
#include <vector>

#include "platform/thread/look_choice.h"
#include "support/deadline.h"
#include "support/requirement.h"
#include "transport/iwarp/granted_memory.h"
#include "transport/iwarp/stream/mpa_framer.h"
#include "unit/transport/iwarp/channel_over_tcp.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

// Remembers the events of its socket.
class EventWatcher final : public EventLoop::Watcher {
public:
    std::atomic<bool> had_room{false};
    void on_ready(std::uint32_t epoll_events) override {
        if ((epoll_events & 4) != 0) had_room = true;
    }
};

class GlancingOwner final : public ChannelOwner {
public:
    std::atomic<int> glances{0};
    void revisit() override {}
    void poller_left() override {}
    bool look() override { return ++glances, false; }
};

class ChannelWatch : public ChannelOverTcp {
protected:
    static constexpr std::size_t kMuch = 16 << 20;  // more than sockets hold

    // Runs the call in a turn of the loop.
    void in_loop(const std::function<void()>& call) {
        const auto done = std::make_shared<std::promise<void>>();
        loop_.post([done, call] {
            call();
            done->set_value();
        });
        done->get_future().wait();
    }

    std::vector<std::byte> memory_ = std::vector<std::byte>(kMuch);
    Ref<TransportMemory> region_ =
        adapter_->register_memory(memory_.data(), kMuch, Access::local_write | Access::remote_write).take();
};

TEST_F(ChannelWatch, AsksForRoomOnceItsSocketWasFull) {
    proves("IW-PERF-07");
    const int descriptor = ends_.here.get();
    ASSERT_EQ(::fcntl(descriptor, F_SETFL, O_NONBLOCK), 0);
    const auto watcher = make_ref<EventWatcher>();
    ASSERT_EQ(loop_.add(descriptor, EventLoop::kSocket, watcher), Status::success);
    attach(std::move(ends_.here));
    channel_->watch();
    const Sge all{memory_.data(), kMuch, region_->local_token()};
    ASSERT_EQ(streaming_->post({Operation::send, RequestFlags::none, nullptr, {&all, 1}}), Status::success);
    std::vector<std::byte> octets(1 << 20);
    EXPECT_TRUE(support::wait_until([&] {
        (void)::recv(ends_.peer.get(), octets.data(), octets.size(), MSG_DONTWAIT);
        return watcher->had_room.load();
    })) << "the rest waits for somebody to come by";
    streaming_->flush();
}

TEST_F(ChannelWatch, ALookAtItIsASystemCall) {
    proves("IW-PERF-16");
    attach(std::move(ends_.here));
    EXPECT_TRUE(static_cast<soft::PolledQueuePair&>(*streaming_).looks_by_call());
    EXPECT_FALSE(queue_pair_->looks_by_call()) << "the fixture's other one";
}

// The loop polls between any two of its looks after pollers, however busy the machine is.
TEST_F(ChannelWatch, LeavesAPollerAloneThatGoesOn) {
    proves("ND2-OVL-24");
    constexpr int kPolls = 200;
    attach(std::move(ends_.here));
    const auto revisits = std::make_shared<std::promise<int>>();
    int polls = 0;
    std::function<void()> next = [&, revisits] {
        EXPECT_EQ(poll(), 0u);
        if (++polls == kPolls) return revisits->set_value(owner_->looks);
        loop_.schedule(now() + std::chrono::milliseconds(1), next);
    };
    loop_.post(next);
    EXPECT_EQ(revisits->get_future().get(), 0);
    EXPECT_EQ(channel_->attention(), soft::Attention::polling);
}

// Writes of the peer come so fast that the next one is worth a look.
TEST_F(ChannelWatch, IsLookedAtForTheNextWriteWhereWritesComeOneAfterTheOther) {
    proves("IW-PERF-16");
    if (!look_choice().looks) GTEST_SKIP() << "one processor alone";
    const auto owner = make_ref<GlancingOwner>();
    const int descriptor = ends_.here.get();
    ASSERT_EQ(::fcntl(descriptor, F_SETFL, O_NONBLOCK), 0);
    ASSERT_EQ(loop_.add(descriptor, EventLoop::kSocket, make_ref<EventWatcher>()), Status::success);
    attach(std::move(ends_.here), Ref<ChannelOwner>(owner));
    channel_->watch();
    MpaFramer framer(Crc::on, Markers::none);
    const Octets write = tagged_ulpdu(
        Opcode::write, {to_stag(region_->remote_token()), reinterpret_cast<std::uint64_t>(memory_.data())}, 8);
    EXPECT_TRUE(support::wait_until([&] {
        const std::span<const std::byte> ulpdu(write);
        Fpdu fpdu;
        framer.frame({&ulpdu, 1}, fpdu);
        for (const std::span<const std::byte> piece : fpdu.pieces())
            EXPECT_EQ(::send(ends_.peer.get(), piece.data(), piece.size(), 0), static_cast<ssize_t>(piece.size()));
        const std::uint32_t before = channel_->taken();
        while (channel_->taken() == before) streaming_->run();
        in_loop([&] { channel_->begin_to_look(); });
        return owner->glances != 0;
    }));
}

}  // namespace
}  // namespace opennd::iwarp
