// SPDX-License-Identifier: MIT
// A process of the same user at the other end of the local socket, played by the test.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "transport/local/connector.h"
#include "transport/soft/adapter.h"
#include "unit/transport/connected_pair.h"

namespace opennd::local {

class RequestsOfNeighbours final : public ListenerSink {
public:
    test::Heard arrived;
    std::atomic<bool> any{false};  // before `arrived` was waited for, `connector` is the loop's
    Ref<TransportConnector> connector;
    ConnectionRequest request;
    void on_request(Ref<TransportConnector> from, ConnectionRequest asked) override {
        connector = std::move(from);
        request = std::move(asked);
        any = true;
        arrived.set(Status::success);
    }
};

// The process at the other end, which keeps the rules only as far as the test wants.
class Neighbour {
public:
    explicit Neighbour(LocalSocket socket) : socket_(std::move(socket)) {}

    Status try_to_say(ControlType type, std::uint32_t segment, std::span<const int> descriptors) {
        ControlMessage message;
        message.type = type;
        message.segment = segment;
        message.local = test::loopback_address(1).to_sockaddr();
        message.remote = test::loopback_address(2).to_sockaddr();
        message.inbound_reads = message.outbound_reads = reads;
        message.scope = 1;
        message.asymmetric = asymmetric ? 1 : 0;
        message.cookie_address = cookie_address;
        message.open = tokens.cookie();
        message.nonce = nonce;
        message.connection = connection;
        message.tokens_attached = type == ControlType::accept && !descriptors.empty() ? 1 : 0;
        return send(socket_, message, descriptors);
    }
    void say(ControlType type, std::uint32_t segment = 0, std::span<const int> descriptors = {}) {
        ASSERT_EQ(try_to_say(type, segment, descriptors), Status::success);
    }
    void ask() { say(ControlType::request, 0, std::array{tokens.memory().descriptor()}); }
    // Answers a request: its socket is a link.
    void make_link() {
        const auto request = hear();
        ASSERT_TRUE(request && request->type == ControlType::request);
        nonce = request->nonce;
        say(ControlType::link, 0, std::array{arena->descriptor(), tokens.memory().descriptor()});
    }

    // The next message that is no wake-up, within ten seconds; nothing: the end of the connection.
    std::optional<ControlMessage> hear() {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (std::chrono::steady_clock::now() < deadline) {
            auto received = receive(socket_);
            if (received.ok() && received.value().message.type == ControlType::leave) return std::nullopt;
            if (received.ok() && received.value().message.type == ControlType::link)
                arena = Arena::map(std::move(received.value().descriptors[0])).take();
            if (received.ok() && received.value().message.type != ControlType::wake_up) return received.value().message;
            if (received.status() != Status::would_block && !received.ok()) return std::nullopt;
            if (received.status() == Status::would_block) std::this_thread::yield();
        }
        ADD_FAILURE() << "nothing was heard";
        return std::nullopt;
    }
    void expect(ControlType type) {
        const auto message = hear();
        ASSERT_TRUE(message) << "the connection ended";
        EXPECT_EQ(message->type, type);
    }

    LocalSocket socket_;
    Ref<Arena> arena = Arena::create().take();  // of the link, once this process has made it or heard of it
    std::uint64_t nonce = 1;
    std::uint32_t connection = 0;
    soft::TokenTable tokens = soft::TokenTable::create().take();
    std::uint64_t cookie_address = 0;
    std::uint32_t reads = 4;
    bool asymmetric = false;  // it can make a heavy barrier
};

class NeighbourTest : public testing::Test {
protected:
    NeighbourTest() {
        std::vector<std::unique_ptr<soft::Wire>> wires;
        wires.push_back(std::make_unique<shm::ShmWire>());
        transport_ = std::make_unique<soft::SoftTransport>(loop_, memory_, std::move(wires));
        adapter_ = Ref<soft::SoftAdapter>(
            static_cast<soft::SoftAdapter*>(transport_->open(Interface{}, Face::nd2).take().get()));
        completions_ = adapter_->create_completion_queue(16, NotifyRule::level, events_).take();
        make_queue_pair();
    }
    ~NeighbourTest() override {
        if (requests_->connector) requests_->connector->end(Ending::give_up);
        queue_pair_->close();
        completions_->close();
        settle();
    }

    void make_queue_pair() {
        queue_pair_ = adapter_->create_queue_pair({{4, 4, 1, 1, 0}, completions_, completions_, nullptr}).take();
    }
    // Lets the connection go, which has ended, and its queue pair, for another one.
    void begin_anew() {
        requests_->connector->end(Ending::give_up);
        queue_pair_->close();
        make_queue_pair();
    }
    // Earlier messages are heard in the second turn at the latest.
    void settle() {
        for (int turn = 0; turn < 2; ++turn) {
            std::promise<void> turned;
            loop_.post([&] { turned.set_value(); });
            turned.get_future().wait();
        }
    }
    // While it lives, the service thread stands still.
    class Standstill {
    public:
        explicit Standstill(EventLoop& loop) {
            std::promise<void> stands;
            loop.post([&stands, until = go_on_.get_future().share()] {
                stands.set_value();
                until.wait();
            });
            stands.get_future().wait();
        }
        ~Standstill() { go_on_.set_value(); }

    private:
        std::promise<void> go_on_;
    };
    // The beginning of a connection.
    Neighbour caller() { return caller(LocalSocket::pair().take()); }
    Neighbour caller(std::pair<LocalSocket, LocalSocket> ends) {
        Neighbour neighbour(std::move(ends.second));
        LocalConnector::passive(adapter_, std::move(ends.first), {"shm", "test", false, false},
                                Ref<ListenerSink>(requests_));
        return neighbour;
    }
    // A connection that is up; neither side can reach the other's private memory.
    Neighbour connected(bool asymmetric = false) {
        Neighbour neighbour = caller();
        neighbour.asymmetric = asymmetric;
        neighbour.ask();
        neighbour.expect(ControlType::link);
        EXPECT_EQ(requests_->arrived.wait(), Status::success);
        requests_->connector->set_sink(Ref<ConnectorSink>(sink_));
        requests_->connector->accept(queue_pair_, {4, 4}, {});
        neighbour.expect(ControlType::accept);
        neighbour.say(ControlType::ready);
        EXPECT_EQ(sink_->established.wait(), Status::success);
        return neighbour;
    }
    Ref<TransportMemory> region(void* address, Access access) {
        return adapter_->register_memory(static_cast<std::byte*>(address), 4096, access).take();
    }
    Status post(Operation operation, const Sge& sge, std::uint64_t address = 0, Token token = Token::none) {
        WorkRequest request;
        request.operation = operation;
        request.sges = {&sge, 1};
        request.remote_address = address;
        request.remote_token = token;
        return queue_pair_->post(request);
    }

    EventLoop loop_;
    MappableMemory memory_;
    std::unique_ptr<soft::SoftTransport> transport_;
    Ref<soft::SoftAdapter> adapter_;
    test::CountingSink events_;
    Ref<TransportCompletionQueue> completions_;
    Ref<TransportQueuePair> queue_pair_;
    Ref<RequestsOfNeighbours> requests_ = make_ref<RequestsOfNeighbours>();
    Ref<test::RecordingSink> sink_ = make_ref<test::RecordingSink>();
};

}  // namespace opennd::local
