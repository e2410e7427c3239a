// SPDX-License-Identifier: MIT
// The connection of a queue pair, as the queue pair sees it.
#pragma once

#include "base/ref.h"

namespace opennd::verbs {

// Called with no queue pair lock held, on any thread.
class ConnectionEnd : public RefCounted {
public:
    // A request failed here, or the device reports the queue pair failed: end the connection (rdma_disconnect on a worker: the
    // peer does not learn it otherwise) and tell the program.
    virtual void queue_pair_failed() = 0;
    // The first message of the peer is here (IBV_EVENT_COMM_EST), though its word that it has completed may be lost.
    virtual void queue_pair_heard() {}
    // The program released the queue pair: end the connection, and tell the connector's program (ND2-QP-REL-02).
    virtual void queue_pair_closed() = 0;
};

}  // namespace opennd::verbs
