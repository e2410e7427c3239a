// SPDX-License-Identifier: MIT
// The references by which the event loop, a queue pair and a channel hold an IwarpConnector. Part of its sources only.
#pragma once

#include "transport/iwarp/handshake/connector.h"

namespace opennd::iwarp {

// Called by the event loop.
class IwarpConnector::Watch final : public EventLoop::Watcher {
public:
    explicit Watch(Ref<IwarpConnector> connector) : connector_(std::move(connector)) {}
    void on_ready(std::uint32_t epoll_events) override { connector_->on_ready(epoll_events); }

private:
    const Ref<IwarpConnector> connector_;
};

// Called by the queue pair.
class IwarpConnector::End final : public soft::ConnectionEnd {
public:
    explicit End(Ref<IwarpConnector> connector) : connector_(std::move(connector)) {}
    void queue_pair_failed() override { connector_->finish_locally(Status::connection_aborted); }
    void queue_pair_closed() override { connector_->finish_locally(Status::canceled); }

private:
    const Ref<IwarpConnector> connector_;
};

// Called by the channel.
class IwarpConnector::Owner final : public ChannelOwner {
public:
    explicit Owner(Ref<IwarpConnector> connector) : connector_(std::move(connector)) {}
    void look() override { connector_->look(); }
    void poller_left() override { connector_->poller_left(); }

private:
    const Ref<IwarpConnector> connector_;
};

template <typename F>
IwarpConnector::Call IwarpConnector::to_sink(F function) {
    return [self = Ref<IwarpConnector>(this), function = std::move(function)] {
        Ref<ConnectorSink> sink;
        {
            const Held lock(self->mutex_);
            sink = self->sink_;
        }
        if (sink) function(*sink);
    };
}

}  // namespace opennd::iwarp
