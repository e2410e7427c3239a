// SPDX-License-Identifier: MIT
// An rdma_cm_id: one listener or one end of a connection, as rdma_cm knows it, and the receiver of its events.
//
// rdma_destroy_id waits for every call on the id that is under way, and for the acknowledgement of its events. So it has its
// turn on the reaper, once nobody refers to the id any more: a dial that the kernel still carries out holds a Ref.
#pragma once

#include <rdma/rdma_cma.h>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "model/address.h"
#include "transport/verbs/cm_event.h"

namespace opennd::verbs {

class EventChannel;

class ConnectionId final : public RefCounted {
public:
    // Explained: insufficient_resources, no_memory, not_supported (no right to rdma_cm's device file).
    static Result<Ref<ConnectionId>> create(EventChannel& channel, Ref<CmEventSink> sink);
    // Hands the id to the reaper.
    ~ConnectionId() override;

    // For calls of rdma_cm, by a holder of a Ref. Null after destroy().
    rdma_cm_id* get() const { return id_; }

    // Null: none. A call that began before may be running on return.
    void set_sink(Ref<CmEventSink> sink);

    // Destroys the id in this call, for one that has no call of its own under way: a listener's port is free on return. The
    // caller is the only user. At most once.
    void destroy();

    // Its own address and the peer's, with ports.
    Address local() const;
    Address peer() const;

private:
    friend class EventChannel;

    // The id's context points to it: lives until rdma_destroy_id has returned, so that an event finds it.
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

}  // namespace opennd::verbs
