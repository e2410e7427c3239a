// SPDX-License-Identifier: MIT
//
// Read endpoint.h first.
#include "perf/endpoint.h"

namespace nd {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kCacheLine = 64;

constexpr std::size_t round_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

void fail_post(HRESULT status, const char* call) { throw NdError(status, "post a request", call); }

Endpoint::Endpoint(Adapter& adapter, const PointPlan& plan)
    : adapter_(adapter),
      plan_(plan),
      buffer_(adapter, plan.queue_pairs * kParts * part_bytes(plan), plan.memory),
      queue_(adapter, plan.queue_pairs * (plan.depth + plan.receive_depth)),
      lanes_(plan.queue_pairs) {
    for (std::size_t index = 0; index < lanes_.size(); index++) prepare_lane(index);
}

std::size_t Endpoint::stride_of(const PointPlan& plan) { return round_up(plan.size, kCacheLine); }

std::size_t Endpoint::part_bytes(const PointPlan& plan) { return round_up(plan.slots() * stride_of(plan), kPage); }

void Endpoint::prepare_lane(std::size_t index) {
    Lane& lane = lanes_[index];
    lane.source = buffer_.part(offset_of(index, kSource), plan_.size);
    lane.sink = buffer_.part(offset_of(index, kSink), plan_.size);
    lane.target = buffer_.data() + offset_of(index, kTarget);
    lane.inline_flag = plan_.size <= plan_.inline_bytes ? ULONG{ND_OP_FLAG_INLINE} : ULONG{0};
    lane.depth = plan_.depth;
    lane.moderation = lane.until_signal = plan_.moderation;
    lane.slots = plan_.slots();
    lane.stride = stride_of(plan_);

    connections_.push_back(std::make_unique<Connection>(adapter_));
    connections_.back()->make_queue_pair(queue_.get(), {plan_.receive_depth, plan_.depth, plan_.inline_bytes}, &lane);
    lane.queue_pair = connections_.back()->queue_pair();
    queue_.watch(connections_.back().get());
    for (std::uint32_t i = 1; i < plan_.receive_depth; i++) lane.post_receive<true>();
}

RemoteMemory Endpoint::memory() const {
    return {reinterpret_cast<std::uint64_t>(buffer_.data()), buffer_.remote_token(), 0};
}

void Endpoint::use_peer_memory(const RemoteMemory& memory) {
    for (std::size_t index = 0; index < lanes_.size(); index++) {
        lanes_[index].remote_target = memory.address + offset_of(index, kTarget);
        lanes_[index].remote_token = memory.token;
    }
}

void Endpoint::connect(const SocketAddress& server, std::uint32_t session, std::uint32_t point) {
    server_ = server;
    request_ = {make_hello(Purpose::perf_data, session), point, 0, 0};
    for (const std::unique_ptr<Connection>& connection : connections_) {
        connection->connect(server, to_private_data(request_));
        request_.queue_pair++;
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
    while (request_.queue_pair < connections_.size()) {
        accept_also(*connections_[request_.queue_pair]);
        request_.queue_pair++;
    }
}

bool Endpoint::accept_also(Connection& connection) {
    for (;;) {
        DataRequest request = {};
        if (from_private_data(connection.take_request(*listener_, control_), request) && is_ours(request)) {
            connection.accept({});
            return request.last != 0;
        }
        connection.reject("this server is busy with another client");
    }
}

bool Endpoint::is_ours(const DataRequest& request) const {
    return request.hello.is_for(Purpose::perf_data) && request.hello.session == request_.hello.session &&
           request.point == request_.point && request.queue_pair == request_.queue_pair;
}

void Endpoint::disconnect() {
    for (const std::unique_ptr<Connection>& connection : connections_)
        if (!connection->lost()) connection->disconnect();
}

}  // namespace nd
