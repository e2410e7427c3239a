// SPDX-License-Identifier: MIT
// The references by which the event loop and a queue pair hold a LocalConnector. Part of connector.cpp and
// connector_events.cpp only.
#pragma once

#include "transport/local/connector.h"

namespace opennd::local {

// Called by the event loop.
class LocalConnector::Watch final : public EventLoop::Watcher {
public:
    explicit Watch(Ref<LocalConnector> connector) : connector_(std::move(connector)) {}
    void on_ready(std::uint32_t) override { connector_->on_readable(); }

private:
    const Ref<LocalConnector> connector_;
};

// Called by the queue pair.
class LocalConnector::End final : public soft::ConnectionEnd {
public:
    explicit End(Ref<LocalConnector> connector) : connector_(std::move(connector)) {}
    void queue_pair_failed() override { connector_->finish_locally(Status::connection_aborted); }
    void queue_pair_closed() override { connector_->finish_locally(Status::canceled); }

private:
    const Ref<LocalConnector> connector_;
};

template <typename F>
LocalConnector::Call LocalConnector::to_sink(F function) {
    return [self = Ref<LocalConnector>(this), function = std::move(function)] {
        Ref<ConnectorSink> sink;
        {
            const Held lock(self->mutex_);
            sink = self->sink_;
        }
        if (sink) function(*sink);
    };
}

}  // namespace opennd::local
