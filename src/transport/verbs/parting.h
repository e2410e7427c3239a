// SPDX-License-Identifier: MIT
// The id of a connection that this side has ended, until the peer has answered: rdma_cm repeats the farewell as long as the id
// lives.
#pragma once

#include <utility>

#include "base/lock.h"
#include "transport/verbs/connection_id.h"

namespace opennd::verbs {

class Parting final : public CmEventSink {
public:
    explicit Parting(Ref<ConnectionId> id) : id_(std::move(id)) {}

    void on_event(const CmEvent& event) override {
        // TIMEWAIT_EXIT follows DISCONNECTED, after all repetitions.
        const bool is_last = event.type == RDMA_CM_EVENT_DISCONNECTED || event.type == RDMA_CM_EVENT_REJECTED ||
                             event.type == RDMA_CM_EVENT_TIMEWAIT_EXIT || event.type == RDMA_CM_EVENT_DEVICE_REMOVAL;
        if (is_last) let_go();
    }

    // Nothing more is waited for. Any thread, as often as one likes.
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

}  // namespace opennd::verbs
