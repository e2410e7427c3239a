// SPDX-License-Identifier: MIT
// One end of a link, with the test as the process at the other end.
#pragma once

#include <fcntl.h>

#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "transport/local/link/link.h"
#include "transport/local/link/links.h"
#include "transport/soft/adapter.h"
#include "unit/transport/connected_pair.h"

namespace opennd::local {

class Recorder final : public LinkUser {
public:
    std::vector<ControlType> records;
    std::atomic<int> wake_ups{0}, left{0};  // the link may end as the test does
    Ref<LinkEnd> joined;

private:
    void on_joined(const Ref<LinkEnd>& link_end) override { joined = link_end; }
    void on_record(ReceivedControl& record) override { records.push_back(record.message.type); }
    void on_wake_up() override { ++wake_ups; }
    void on_left(Status) override { ++left; }
};

struct End {
    Ref<Recorder> user = make_ref<Recorder>();
    Ref<LinkEnd> link_end;
};

// This side is the maker; the test is the taker.
class LinkFixture : public testing::Test {
protected:
    LinkFixture() {
        std::vector<std::unique_ptr<soft::Wire>> wires;
        wires.push_back(std::make_unique<shm::ShmWire>());
        transport_ = std::make_unique<soft::SoftTransport>(loop_, memory_, std::move(wires));
        adapter_ = Ref<soft::SoftAdapter>(
            static_cast<soft::SoftAdapter*>(transport_->open(Interface{}, Face::nd2).take().get()));
        ends_.own = adapter_.get();
        make_link(first_, ends_);
    }
    ~LinkFixture() override {
        hang_up();
        for (End* end : {&first_, &second_}) leave(*end);
    }

    // On the service thread, whose calls the link's are.
    template <typename F>
    auto on_loop(F function) {
        std::promise<decltype(function())> result;
        loop_.post([&] {
            if constexpr (std::is_void_v<decltype(function())>) {
                function();
                result.set_value();
            } else {
                result.set_value(function());
            }
        });
        return result.get_future().get();
    }
    void make_link(End& end, const LinkOpens& between) {
        auto ends = LocalSocket::pair().take();
        socket_ = std::move(ends.second);
        // A peer may make its own calls wait, not those of this side.
        EXPECT_EQ(::fcntl(socket_.descriptor(), F_SETFL, 0), 0);
        EXPECT_EQ(::fcntl(ends.first.descriptor(), F_SETFL, 0), 0);
        ReceivedControl request;
        request.message.nonce = 1;
        request.descriptors.emplace_back(Descriptor::copy_of(tokens_.memory().descriptor()));
        end.link_end = on_loop([&] {
            return Link::make(loop_, links_, between, *adapter_, ends.first, request, Ref<LinkUser>(end.user)).value();
        });
        auto made = hear();
        ASSERT_TRUE(made && made->message.type == ControlType::link);
        arena_ = Arena::map(std::move(made->descriptors[0])).take();
    }

    // Packets that were sent before are heard in the second turn at the latest.
    void settle() {
        for (int turn = 0; turn < 2; ++turn) on_loop([] {});
    }
    void say(ControlType type, std::uint32_t connection, std::uint64_t nonce = 0,
             std::span<const int> descriptors = {}) {
        ControlMessage message;
        message.type = type;
        message.connection = connection;
        message.nonce = nonce;
        ASSERT_EQ(send(socket_, message, descriptors), Status::success);
        settle();
    }
    // The next packet, also a wake-up, within ten seconds; nothing: the end of the link.
    std::optional<ReceivedControl> hear() {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (std::chrono::steady_clock::now() < deadline) {
            auto received = receive(socket_);
            if (received.ok() && received.value().message.type == ControlType::wake_up) arena_->bell(1).rung = 0;
            if (received.ok()) return received.take();
            if (received.status() != Status::would_block) return std::nullopt;
            std::this_thread::yield();
        }
        ADD_FAILURE() << "nothing was heard";
        return std::nullopt;
    }
    void expect(ControlType type, std::uint32_t connection) {
        SCOPED_TRACE(static_cast<int>(type));
        const auto received = hear();
        ASSERT_TRUE(received) << "the link ended";
        EXPECT_EQ(received->message.type, type);
        EXPECT_EQ(received->message.connection, connection);
    }
    void say_released(std::uint32_t number) {
        ControlMessage message;
        message.type = ControlType::release;
        message.set_data(std::as_bytes(std::span(&number, 1)));
        ASSERT_EQ(send(socket_, message), Status::success);
        settle();
    }
    void join_second() {
        second_.link_end = on_loop([&] { return links_->find(ends_)->join(Ref<LinkUser>(second_.user), 2).value(); });
        expect(ControlType::join, 2);
    }
    void leave(End& end) {
        if (!end.link_end) return;
        end.link_end->leave();
        end.link_end = nullptr;
    }
    void hang_up() {
        socket_ = LocalSocket();
        settle();
    }

    EventLoop loop_;
    MappableMemory memory_;
    std::unique_ptr<soft::SoftTransport> transport_;
    Ref<soft::SoftAdapter> adapter_;
    soft::TokenTable tokens_ = soft::TokenTable::create().take();
    const Ref<Links> links_ = make_ref<Links>();
    LinkOpens ends_{nullptr, 77, 5};
    LocalSocket socket_;
    Ref<Arena> arena_;  // as the test has it
    End first_, second_;
};

}  // namespace opennd::local
