// SPDX-License-Identifier: MIT
// Events of rdma_cm, and their receivers.
#pragma once

#include <rdma/rdma_cma.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ref.h"

namespace opennd::verbs {

class ConnectionId;

// A copy of an event, which is acknowledged already.
struct CmEvent {
    rdma_cm_event_type type = RDMA_CM_EVENT_TIMEWAIT_EXIT;
    int status = 0;  // a negative errno; of REJECTED on InfiniBand the reason, a positive number
    // A request or a reply has this side's most Reads, in the words of rdma_conn_param.
    std::uint8_t responder_resources = 0;
    std::uint8_t initiator_depth = 0;
    std::uint8_t private_bytes = 0;
    std::array<std::byte, 256> private_octets{};

    std::span<const std::byte> private_data() const { return {private_octets.data(), private_bytes}; }
};

// Called on the service thread or a helper, one call at a time, with no lock held. Must not throw.
class CmEventSink : public RefCounted {
public:
    virtual void on_event(const CmEvent& event) = 0;
    // To a listener's: CONNECT_REQUEST. `id` has no sink, and no events before rdma_accept.
    virtual void on_request(Ref<ConnectionId> id, const CmEvent& event);
};

}  // namespace opennd::verbs
