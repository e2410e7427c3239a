// SPDX-License-Identifier: MIT
// An rdma_cm_id: one listener or one end of a connection, as rdma_cm knows it, its events, and their receiver.
//
// rdma_destroy_id waits for every call on the id that is under way, and for the acknowledgement of its events. So it has its
// turn on the reaper, once nobody refers to the id any more: a dial that the kernel still carries out holds a Ref.
#pragma once

#include <rdma/rdma_cma.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/explanation.h"
#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "base/status.h"
#include "model/address.h"
#include "transport/verbs/device/rdma_core.h"

namespace opennd::verbs {

class ConnectionId;
class EventChannel;

// A copy of an event, which is acknowledged already.
struct CmEvent {
    rdma_cm_event_type type = RDMA_CM_EVENT_TIMEWAIT_EXIT;
    int status = 0;  // a negative errno; of REJECTED on InfiniBand the reason, a positive number
    // A request or a reply has this side's most Reads, in the words of rdma_conn_param.
    std::uint8_t responder_resources = 0;
    std::uint8_t initiator_depth = 0;
    bool has_shared_receives = false;  // the peer, of a request or a reply
    std::uint8_t private_bytes = 0;
    std::array<std::byte, 256> private_octets{};

    std::span<const std::byte> private_data() const { return {private_octets.data(), private_bytes}; }
};

// Called on the service thread or a helper, one call at a time, with no lock held. Must not throw.
class CmEventSink : public RefCounted {
public:
    virtual void on_event(const CmEvent& event) = 0;
    // CONNECT_REQUEST, which comes to a listener's sink alone. `id` has no sink, and no events before rdma_accept.
    virtual void on_request(Ref<ConnectionId> id, const CmEvent& event);
};

class ConnectionId final : public RefCounted {
public:
    // Makes an id. Explained: insufficient_resources, no_memory, not_supported (no right to rdma_cm's device file).
    static Result<Ref<ConnectionId>> create(EventChannel& channel, Ref<CmEventSink> sink);
    // Hands the id to the reaper.
    ~ConnectionId() override;

    // The id, for calls of rdma_cm by a holder of a Ref. Null after destroy().
    rdma_cm_id* get() const { return id_; }

    // Sets the receiver of events; null: none. A call of the earlier one that has begun may be running on return.
    void set_sink(Ref<CmEventSink> sink);

    // Destroys the id in this call, for one that has no call of its own under way: a listener's port is free on return. The
    // caller is the only user. At most once.
    void destroy();

    // The own address of the id and the peer's, with ports.
    Address local() const;
    Address peer() const;

private:
    friend class EventChannel;

    // The receiver of an id's events, to which the id's context points. It lives until rdma_destroy_id has returned, so
    // that an event finds it.
    class Mailbox final : public RefCounted {
    public:
        void set_sink(Ref<CmEventSink> sink) EXCLUDES(mutex_);
        Ref<CmEventSink> sink() const EXCLUDES(mutex_);

    private:
        mutable Mutex mutex_;  // held for a step
        Ref<CmEventSink> sink_ GUARDED_BY(mutex_);
    };

    ConnectionId(EventChannel& channel, rdma_cm_id* id, Ref<Mailbox> mailbox);

    EventChannel& channel_;  // outlives it
    const Ref<Mailbox> mailbox_;
    rdma_cm_id* id_;  // constant until destroy(), which has no other user beside it
};

// The id of a connection that this side has ended, until the peer has answered: rdma_cm repeats the farewell as long as the id
// lives.
class Parting final : public CmEventSink {
public:
    explicit Parting(Ref<ConnectionId> id) : id_(std::move(id)) {}

    void on_event(const CmEvent& event) override {
        // TIMEWAIT_EXIT follows DISCONNECTED, after all repetitions.
        const bool is_last = event.type == RDMA_CM_EVENT_DISCONNECTED || event.type == RDMA_CM_EVENT_REJECTED ||
                             event.type == RDMA_CM_EVENT_TIMEWAIT_EXIT || event.type == RDMA_CM_EVENT_DEVICE_REMOVAL;
        if (is_last) let_go();
    }

    // Waits for nothing more. Any thread, as often as one likes.
    void let_go() EXCLUDES(mutex_) {
        Ref<ConnectionId> id;
        {
            const Held lock(mutex_);
            std::swap(id, id_);
        }
        if (id) id->set_sink(nullptr);
    }

private:
    Mutex mutex_;
    Ref<ConnectionId> id_ GUARDED_BY(mutex_);  // holds a Ref to this object, as its receiver, until let_go()
};

// Sets the class of traffic of an id that is not bound yet, if the setting has one. A kernel that does not know it leaves the id as it is.
void set_traffic_class(const CmFunctions& rdma, rdma_cm_id* id, const std::optional<std::uint8_t>& traffic_class);

// Explains the failure of a call with `error`, and returns its status. `operation` names the call, `asked` its subject.
[[gnu::cold]] Status explain_cm_failure(int error, std::string_view operation, std::string_view object,
                                        std::string_view asked) noexcept;
// Reports the failure instead, of a request of the program that was accepted before (base/explanation.h).
[[gnu::cold]] Status report_cm_failure(int error, std::string_view operation, std::string_view object,
                                       std::string_view asked) noexcept;

// The status of a failed Connect, for ConnectorSink::on_connect_failed, reported. `asked` names the peer.
[[gnu::cold]] Status report_connect_failure(const CmEvent& event, std::string_view asked) noexcept;
[[gnu::cold]] Status report_connect_failure(int error, std::string_view asked) noexcept;
// Returns true if a peer refused the connection on purpose, so that the private data are its program's.
bool refused_by_program(const CmEvent& event);

}  // namespace opennd::verbs
