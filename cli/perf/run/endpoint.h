// SPDX-License-Identifier: MIT
//
// Endpoint: what one side needs for one point - memory, completion queue, queue pairs - and how the two are connected.
#pragma once

#include "network/connection/completion_queue.h"
#include "network/connection/message_channel.h"
#include "network/memory/memory_buffer.h"
#include "perf/plan/perf_protocol.h"
#include "perf/plan/point_plan.h"
#include "perf/run/lane.h"

#include <memory>
#include <vector>

namespace nd {

class Endpoint {
public:
    // Receives are posted already; with the results of connect() or accept() as many as the plan has.
    Endpoint(Adapter& adapter, const PointPlan& plan);
    // The length of the memory that it registers.
    static std::size_t memory_bytes(const PointPlan& plan);

    // The data connections, one after the other; each carries this session and point, and then the two sides tell each
    // other of their memory. The server refuses others, and stops waiting when the control connection is lost.
    void connect(const SocketAddress& server, std::uint32_t session, std::uint32_t point);
    void accept(Listener& listener, const Connection& control, std::uint32_t session, std::uint32_t point);
    void disconnect();
    // One more of them, in `connection`, which has no part in the point; `last` travels to the other side, which returns it.
    void connect_also(Connection& connection, bool last);
    bool accept_also(Connection& connection);

    const PointPlan& plan() const { return plan_; }
    Adapter& adapter() { return adapter_; }
    CompletionQueue& queue() { return queue_; }
    std::vector<Lane>& lanes() { return lanes_; }
    Lane& lane() { return lanes_.front(); }
    const Connection& first_connection() const { return *connections_.front(); }

private:
    // The kinds of slots that each lane has.
    enum Part : std::size_t { kSource, kSink, kTarget, kParts };

    static std::size_t stride_of(const PointPlan& plan);
    static std::size_t part_bytes(const PointPlan& plan);
    std::size_t offset_of(std::size_t lane, Part part) const { return (lane * kParts + part) * part_bytes(plan_); }
    void add_lane(std::size_t index);
    void prepare(std::size_t lane);
    void tell_own_memory(std::size_t lane);
    void wait_for_results(unsigned count);
    void use_peer_memory(Lane& lane);

    Adapter& adapter_;
    const PointPlan plan_;
    MemoryBuffer buffer_;
    CompletionQueue queue_;
    const Piece said_, heard_;  // the RemoteMemory of the data connection that is being made
    std::vector<Lane> lanes_;   // never resized: their addresses are queue pair contexts
    std::vector<std::unique_ptr<Connection>> connections_;

    bool is_ours(const DataRequest& request) const;
    DataRequest request_ = {};             // of the data connections
    SocketAddress server_;                 // client
    Listener* listener_ = nullptr;         // server
    const Connection* control_ = nullptr;  // server
};

}  // namespace nd
