// SPDX-License-Identifier: MIT
// What rdma_cm and the queue pair call of a VerbsConnector. Each keeps it alive: rdma_cm's until the end, the queue pair's until
// its connection ended.
#pragma once

#include <utility>

#include "transport/verbs/connection_end.h"
#include "transport/verbs/connector.h"

namespace opennd::verbs {

class VerbsConnector::Events final : public CmEventSink {
public:
    explicit Events(Ref<VerbsConnector> connector) : connector_(std::move(connector)) {}
    void on_event(const CmEvent& event) override { connector_->on_event(event); }

private:
    const Ref<VerbsConnector> connector_;
};

class VerbsConnector::End final : public ConnectionEnd {
public:
    explicit End(Ref<VerbsConnector> connector) : connector_(std::move(connector)) {}
    void queue_pair_failed() override { connector_->on_queue_pair_end(Status::connection_aborted); }
    void queue_pair_heard() override { connector_->on_queue_pair_heard(); }
    void queue_pair_closed() override { connector_->on_queue_pair_end(Status::canceled); }

private:
    const Ref<VerbsConnector> connector_;
};

}  // namespace opennd::verbs
