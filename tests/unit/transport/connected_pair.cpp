// SPDX-License-Identifier: MIT
// ConnectedPair: see connected_pair.h.
#include "connected_pair.h"

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "transport/soft/queue_pair/queue_pair.h"

namespace opennd::test {
namespace {

constexpr std::chrono::seconds kPatience{10};

std::unique_ptr<soft::Wire> make_wire(WireKind kind) {
    if (kind == WireKind::loopback) return std::make_unique<loopback::LoopbackWire>();
    if (kind == WireKind::shm) return std::make_unique<shm::ShmWire>();
    return std::make_unique<iwarp::IwarpWire>();
}

}  // namespace

Address loopback_address(std::uint16_t port) {
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_port = htons(port);
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return *Address::from(reinterpret_cast<const sockaddr*>(&in), sizeof in);
}

std::string name(WireKind kind) {
    return kind == WireKind::loopback ? "Loopback" : kind == WireKind::shm ? "Shm" : "Iwarp";
}

void Heard::set(Status status) {
    const std::lock_guard lock(mutex_);
    status_ = status;
    changed_.notify_all();
}

Status Heard::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kPatience, [&] { return status_.has_value(); });
    const Status status = status_.value_or(Status::timed_out);
    status_.reset();
    return status;
}

void RecordingSink::on_replied(const ReadLimits& effective, std::span<const std::byte>) {
    limits = effective;
    replied.set(Status::success);
}

Completion Side::next() {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    Completion completion;
    while (completions->poll({&completion, 1}) == 0)
        if (std::chrono::steady_clock::now() > deadline) {
            ADD_FAILURE() << "no result came";
            return {.status = Status::internal_error};
        }
    return completion;
}

void ConnectedPair::open(Side& side, const QueuePairLimits& limits, std::optional<SharedReceiveQueueLimits> shares,
                         const PairTerms& terms) {
    side.adapter = transport_->open(Interface{}, Face::nd2).take();
    side.connecting_adapter =
        terms.connected_by_another_open ? transport_->open(Interface{}, Face::nd2).take() : side.adapter;
    side.completions =
        side.connecting_adapter
            ->create_completion_queue(limits.receive_depth + limits.initiator_depth, NotifyRule::level, side.events)
            .take();
    QueuePairParameters parameters{limits, side.completions, side.completions, &side};
    parameters.waits_for_receives = terms.waits_for_receives;
    if (shares) {
        side.shared_receives = side.adapter->create_shared_receive_queue(*shares, side.shortage).take();
        parameters.limits.receive_depth = 0;
        parameters.limits.receive_sges = shares->sges;
        parameters.shared_receive_queue = side.shared_receives;
    }
    side.queue_pair = side.adapter->create_queue_pair(parameters).take();
}

ConnectedPair::ConnectedPair(WireKind kind, const QueuePairLimits& limits,
                             std::optional<SharedReceiveQueueLimits> passive_shares, const PairTerms& terms) {
    std::vector<std::unique_ptr<soft::Wire>> wires;
    wires.push_back(make_wire(kind));
    transport_ = std::make_unique<soft::SoftTransport>(loop, memory, std::move(wires), terms.settings, terms.layer);
    open(active, limits, std::nullopt, terms);
    open(passive, limits, passive_shares, terms);

    const auto request = make_ref<OneRequest>();
    auto listener = passive.connecting_adapter->create_listener(Ref<ListenerSink>(request)).take();
    const Address at = listener->bind(loopback_address()).take();
    EXPECT_EQ(listener->listen(0), Status::success);

    active.connector =
        active.connecting_adapter->connect(Ref<ConnectorSink>(active.sink), loopback_address().with_port(1),
                                           PortOrigin::program, at, {16, 16}, {}, active.queue_pair);
    EXPECT_EQ(request->arrived.wait(), Status::success);
    passive.connector = request->connector;
    passive.connector->set_sink(Ref<ConnectorSink>(passive.sink));
    passive.connector->accept(passive.queue_pair, {16, 16}, {});
    EXPECT_EQ(active.sink->replied.wait(), Status::success);
    active.connector->complete();
    EXPECT_EQ(active.sink->established.wait(), Status::success);
    EXPECT_EQ(passive.sink->established.wait(), Status::success);
    listener->close();
    request->connector = nullptr;
}

ConnectedPair::~ConnectedPair() {
    for (Side* side : {&active, &passive}) {
        side->connector->end(Ending::give_up);
        side->queue_pair->close();
        side->completions->close();
        if (side->shared_receives) side->shared_receives->close();
    }
    // The end of one side may still make the loop's thread work for the other, a little after that side is at rest;
    // nothing comes after it.
    for (Side* side : {&active, &passive})
        while (!static_cast<soft::SoftQueuePair&>(*side->queue_pair).quiesce()) std::this_thread::yield();
    const auto turned = std::make_shared<std::promise<void>>();
    const std::future<void> done = turned->get_future();
    loop.schedule(now() + std::chrono::milliseconds(5), [turned] { turned->set_value(); });
    done.wait();
}

}  // namespace opennd::test
