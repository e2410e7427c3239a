// SPDX-License-Identifier: MIT
//
// Read endpoint.h first.
#include "perf/run/endpoint.h"

#include "nd_error.h"

#include <cstring>

namespace nd {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kLinePair = 2 * kCacheLine;  // processors fetch two lines at once

constexpr std::size_t round_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

void fail_post(HRESULT status, const std::string& method) { throw NdError(status, "post a request", method); }

Endpoint::Endpoint(Adapter& adapter, const PointPlan& plan)
    : adapter_(adapter),
      plan_(plan),
      buffer_(adapter, memory_bytes(plan), plan.memory),
      queue_(adapter, static_cast<ULONG>(plan.results())),
      said_(buffer_.part(buffer_.size() - kPage, sizeof(RemoteMemory))),
      heard_(said_.moved_by(kCacheLine)),
      lanes_(plan.queue_pairs) {
    for (std::size_t index = 0; index < lanes_.size(); index++) add_lane(index);
}

// The bytes of a plan that was checked are no more than 64 bits hold.
std::size_t Endpoint::memory_bytes(const PointPlan& plan) {
    return plan.queue_pairs * kParts * part_bytes(plan) + kPage;
}

std::size_t Endpoint::stride_of(const PointPlan& plan) { return round_up(plan.size, kCacheLine); }

// Parts of less than a page lie close together. On pages of their own, the parts of many queue pairs would take three pages each,
// and would share a few places of a cache.
std::size_t Endpoint::part_bytes(const PointPlan& plan) {
    const std::size_t bytes = plan.slots() * stride_of(plan);
    return round_up(bytes, bytes < kPage ? kLinePair : kPage);
}

void Endpoint::add_lane(std::size_t index) {
    Lane& lane = lanes_[index];
    lane.source = buffer_.part(offset_of(index, kSource), plan_.size);
    if (plan_.size <= plan_.inline_bytes) lane.source.make_inline();
    lane.stop = buffer_.part(offset_of(index, kSource), plan_.stop_bytes());
    lane.sink = buffer_.part(offset_of(index, kSink), plan_.sink_bytes());
    lane.target = buffer_.data() + offset_of(index, kTarget);
    lane.depth = plan_.depth;
    lane.moderation = lane.until_signal = plan_.moderation;
    lane.credit = SendCredit(plan_.receive_depth);
    lane.slots = plan_.slots();
    lane.stride = stride_of(plan_);

    connections_.push_back(std::make_unique<Connection>(adapter_, [this, index] { prepare(index); }));
    connections_.back()->prepare_early();
    queue_.watch(connections_.back().get());
}

void Endpoint::prepare(std::size_t index) {
    Lane& lane = lanes_[index];
    lane.queue_pair = connections_[index]->make_queue_pair(
        queue_, {plan_.receives(), plan_.initiator_requests(), plan_.inline_bytes, plan_.reads}, &lane);
    if (has_immediate(plan_.test))
        check(lane.queue_pair.ask_for_immediate(), "get a queue pair with immediate data, which version 2 alone has",
              "QueryInterface");
    check(lane.queue_pair.receive(heard_), "post a request", lane.queue_pair.method("Receive"));
    for (std::uint32_t i = 1; i < plan_.receives(); i++) lane.post_receive<true>();
}

void Endpoint::tell_own_memory(std::size_t index) {
    QueuePair& queue_pair = lanes_[index].queue_pair;
    const RemoteMemory granted =
        connections_[index]->grant(queue_pair, buffer_, offset_of(index, kTarget), part_bytes(plan_));
    std::memcpy(said_.data(), &granted, sizeof granted);
    check(queue_pair.send(nullptr, said_, 0), "post a request", queue_pair.method("Send"));
}

void Endpoint::wait_for_results(unsigned count) {
    for (; count > 0; count--) queue_.wait_one<WaitBy::events>("exchange addresses of memory");
}

void Endpoint::use_peer_memory(Lane& lane) {
    RemoteMemory heard;
    std::memcpy(&heard, heard_.data(), sizeof heard);
    lane.remote = RemoteTarget(heard);
    // Credit counts on all receives of the plan.
    if (plan_.credit_messages() != 0) lane.post_receive<true>();
}

void Endpoint::connect(const SocketAddress& server, std::uint32_t session, std::uint32_t point) {
    server_ = server;
    request_ = {make_hello(Purpose::perf_data, session), point, 0, 0};
    for (std::size_t index = 0; index < lanes_.size(); index++, request_.queue_pair++) {
        connections_[index]->connect(server, to_private_data(request_));
        tell_own_memory(index);
        wait_for_results(2);
        use_peer_memory(lanes_[index]);
    }
}

void Endpoint::connect_also(Connection& connection, bool last) {
    request_.last = last;
    connection.connect(server_, to_private_data(request_));
}

void Endpoint::accept(Listener& listener, const Connection& control, std::uint32_t session, std::uint32_t point) {
    listener_ = &listener;
    control_ = &control;
    request_ = {make_hello(Purpose::perf_data, session), point, 0, 0};
    for (std::size_t index = 0; index < lanes_.size(); index++, request_.queue_pair++) {
        accept_also(*connections_[index]);
        wait_for_results(1);
        use_peer_memory(lanes_[index]);
        tell_own_memory(index);
        wait_for_results(1);
    }
}

bool Endpoint::accept_also(Connection& connection) {
    for (;;) {
        DataRequest request = {};
        if (from_private_data(connection.take_request(*listener_, control_), request) && is_ours(request)) {
            connection.accept({});
            return request.last != 0;
        }
        connection.reject(kBusy);
    }
}

bool Endpoint::is_ours(const DataRequest& request) const {
    return request.hello.is_for(Purpose::perf_data) && request.hello.session == request_.hello.session &&
           request.point == request_.point && request.queue_pair == request_.queue_pair;
}

void Endpoint::disconnect() {
    for (const std::unique_ptr<Connection>& connection : connections_) connection->end();
}

}  // namespace nd
