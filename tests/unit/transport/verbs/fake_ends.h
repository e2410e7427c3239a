// SPDX-License-Identifier: MIT
// A device of which nothing works but its name, a queue pair and a program that write down what is called of them: all that a
// connector needs beside rdma_cm.
#pragma once

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "base/format.h"
#include "support/deadline.h"
#include "transport/verbs/connection/connector.h"
#include "transport/verbs/connection/event_channel.h"
#include "transport/verbs/connection/listener.h"
#include "transport/verbs/device/reaper.h"
#include "unit/core/fake_transport.h"
#include "unit/transport/verbs/fake_cm.h"

namespace opennd::verbs {

// A device of either fabric, as its context says: that of librdmacm. OpenND opens more of them.
struct NoDevice {
    explicit NoDevice(ibv_transport_type type) {
        device.transport_type = type;
        std::strcpy(device.name, "none0");
        context.device = &device;
        context.async_fd = ::eventfd(0, EFD_CLOEXEC);
    }
    ~NoDevice() { ::close(context.async_fd); }

    static ibv_context* open(ibv_device* device) {
        auto* const opened = new ibv_context{};
        opened->device = device;
        opened->async_fd = ::eventfd(0, EFD_CLOEXEC);
        return opened;
    }
    static int close(ibv_context* context) {
        ::close(context->async_fd);
        delete context;
        return 0;
    }

    ibv_device device{};
    ibv_context context{};
};

// An id that rdma_cm has bound to a port of the device.
inline rdma_cm_id bound_to(ibv_context* context, std::uint8_t port) {
    rdma_cm_id id{};
    id.verbs = context;
    id.port_num = port;
    return id;
}

// The functions of libibverbs that Device calls.
inline VerbsFunctions functions_of_no_device() {
    VerbsFunctions ibv{};
    ibv.get_device_name = [](ibv_device* device) -> const char* { return device->name; };
    ibv.open_device = &NoDevice::open;
    ibv.close_device = &NoDevice::close;
    ibv.query_device = [](ibv_context*, ibv_device_attr*) { return ENOSYS; };
    ibv.query_port = [](ibv_context*, std::uint8_t, _compat_ibv_port_attr*) { return ENOSYS; };
    ibv.create_comp_channel = [](ibv_context*) {
        auto* const channel = new ibv_comp_channel{};
        channel->fd = ::eventfd(0, EFD_CLOEXEC);
        return channel;
    };
    ibv.destroy_comp_channel = [](ibv_comp_channel* channel) {
        ::close(channel->fd);
        delete channel;
        return 0;
    };
    ibv.get_cq_event = [](ibv_comp_channel*, ibv_cq**, void**) { return -1; };
    ibv.get_async_event = [](ibv_context*, ibv_async_event*) { return -1; };
    ibv.event_type_str = [](ibv_event_type) -> const char* { return "event"; };
    return ibv;
}

class JournalledPair final : public VerbsQueuePair {
public:
    JournalledPair(Journal& journal, Ref<Device> device) : journal_(journal), device_(std::move(device)) {}

    std::uint32_t number() const override { return 4711; }
    bool begin_attempt(const void*) override { return journal_.add("pair begins"), is_idle; }
    void end_attempt(const void*) override { journal_.add("pair is idle again"); }
    Status modify(ibv_qp_attr& attributes, int mask) override {
        const bool begins = attributes.qp_state == IBV_QPS_INIT, receives = attributes.qp_state == IBV_QPS_RTR;
        (begins ? to_begin : receives ? to_receive : to_send) = {attributes, mask};
        journal_.add(begins ? "pair INIT" : receives ? "pair RTR" : "pair RTS");
        return modified;
    }
    std::optional<ibv_ece> device_options() const override { return options; }
    void take_peer_options(ibv_ece of_peer) override { journal_.add(format("pair takes options {}", of_peer.options)); }
    bool attach(Ref<ConnectionEnd> end, const ReadLimits&, Start start,
                const std::optional<MessageLimit>& messages) override {
        message_limit = messages;
        journal_.add(start == Start::held ? "pair attached, held" : "pair attached");
        connection = std::move(end);
        return attaches;
    }
    void release_held() override { journal_.add("pair released"); }
    void peer_answered() override { journal_.add("peer answered"); }
    bool end_by_peer() override { return journal_.add("pair ended by peer"), peer_ends_in_order; }
    bool finished_requests() override { return finished; }
    ReadLimits settled_reads(const ReadLimits&) override { return {2, 3}; }
    bool waits_for_receives() const override { return waits; }
    bool has_shared_receives() const override { return shares; }
    const Ref<Device>& device() const override { return device_; }

    Status post(const WorkRequest&) override { return Status::success; }
    void flush() override {}
    void end(Status) override {
        journal_.add("pair ended");
        connection = nullptr;
    }
    void end_soon(Status) override {}
    bool heard() const override { return false; }
    void close() override {}
    QueuePairUse use() override { return {}; }
    QueuePairState state() const override { return QueuePairState::idle; }

    bool is_idle = true, attaches = true, peer_ends_in_order = true, waits = false, shares = false;
    std::atomic<bool> finished{true};
    Status modified = Status::success;
    std::pair<ibv_qp_attr, int> to_begin{}, to_receive{}, to_send{};
    std::optional<MessageLimit> message_limit;
    std::optional<ibv_ece> options;
    Ref<ConnectionEnd> connection;

private:
    Journal& journal_;
    const Ref<Device> device_;
};

class JournalledProgram final : public ConnectorSink {
public:
    explicit JournalledProgram(Journal& journal) : journal_(journal) {}

    void on_replied(const ReadLimits& limits, std::span<const std::byte> data) override {
        journal_.add(format("replied {} in {} out, {} octets", limits.inbound, limits.outbound, data.size()));
    }
    void on_connect_failed(Status status, std::span<const std::byte> data) override {
        journal_.add(format("connect failed: {}, {} octets", name(status), data.size()));
    }
    void on_established(const Carrier& carrier) override {
        journal_.add(carrier.stream ? "established over TCP" : "established");
    }
    void on_establish_failed(Status status) override { journal_.add(format("establish failed: {}", name(status))); }
    void on_disconnected(EndCause cause) override { journal_.add(format("disconnected: {}", name(status_of(cause)))); }
    bool on_peer_finished() override { return journal_.add("peer finished"), outlives_notice; }
    void on_finished(Status status) override { journal_.add(format("ended: {}", name(status))); }

    bool outlives_notice = false;

private:
    Journal& journal_;
};

// The loop, rdma_cm, the device and an open of it.
class VerbsTest : public testing::TestWithParam<ibv_transport_type> {
protected:
    explicit VerbsTest(ibv_transport_type type) : none_(type) {
        cm_.context = &none_.context;
        channel_ = EventChannel::open(cm_.functions(), loop_, *reaper_).take();
        device_ = Device::open({core_, loop_, *reaper_, *channel_}, bound_to(&none_.context, 1)).take();
    }
    ~VerbsTest() override {
        cm_.end_all();
        while (cm_.ids() != 0) turn();
        // Its calls hold references for a moment longer than what they did shows.
        EXPECT_TRUE(support::wait_until([this] { return reaper_->threads() == 0; }));
        loop_.remove(device_->completion_channel()->fd);
        loop_.remove(device_->context()->async_fd);
        turn();
    }

    // Returns when the loop has run what was there before, watchers too.
    void turn() {
        for (int i = 0; i < 2; ++i) {
            std::promise<void> done;
            loop_.post([&] { done.set_value(); });
            done.get_future().wait();
        }
    }

    static Address at(const char* text, std::uint16_t port) { return Address::parse(text)->with_port(port); }

    const Address here_ = at("192.0.2.1", 5000), there_ = at("192.0.2.2", 6000);
    Journal journal_;
    FakeCm cm_{journal_};
    NoDevice none_;
    RdmaCore core_{functions_of_no_device(), cm_.functions()};
    EventLoop loop_;
    const Ref<Reaper> reaper_ = make_ref<Reaper>(loop_, std::chrono::milliseconds(1));
    std::unique_ptr<EventChannel> channel_;
    Ref<Device> device_;
    const Ref<fake::FakeAdapter> owner_ = make_ref<fake::FakeAdapter>();
};

}  // namespace opennd::verbs
