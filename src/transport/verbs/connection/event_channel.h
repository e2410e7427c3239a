// SPDX-License-Identifier: MIT
// rdma_cm's events of all ids of this process: read by the event loop, copied, acknowledged, handed on to the receiver of their
// id. Acknowledged first, because rdma_destroy_id waits for that.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "platform/descriptor/descriptor.h"
#include "platform/thread/event_loop.h"
#include "transport/verbs/connection/connection_id.h"
#include "transport/verbs/connection/four_tuples.h"
#include "transport/verbs/device/rdma_core.h"

namespace opennd::verbs {

class Reaper;

class EventChannel final {
public:
    // Opens the channel. All three arguments outlive it. Explained: not_supported (no right to /dev/infiniband/rdma_cm,
    // or no such device file), insufficient_resources, no_memory.
    static Result<std::unique_ptr<EventChannel>> open(const CmFunctions& rdma, EventLoop& loop, Reaper& reaper);
    // All ids are destroyed before this runs, and the loop's thread runs no event of it.
    ~EventChannel();
    EventChannel(const EventChannel&) = delete;
    EventChannel& operator=(const EventChannel&) = delete;

    const CmFunctions& rdma() const { return rdma_; }
    Reaper& reaper() const { return reaper_; }
    FourTuples& four_tuples() { return four_tuples_; }

private:
    friend class ConnectionId;
    class Watch;

    EventChannel(const CmFunctions& rdma, EventLoop& loop, Reaper& reaper, rdma_event_channel* channel)
        : rdma_(rdma), loop_(loop), reaper_(reaper), channel_(channel), events_(channel->fd) {}
    Status watch();
    void drain();
    bool take_one();
    Ref<ConnectionId> adopt(rdma_cm_id* id) noexcept;

    const CmFunctions& rdma_;
    EventLoop& loop_;
    Reaper& reaper_;
    rdma_event_channel* const channel_;
    std::optional<LentDescriptor> events_;  // the channel's, for a child of fork; empty once it is closed
    FourTuples four_tuples_;
};

}  // namespace opennd::verbs
