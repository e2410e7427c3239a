// SPDX-License-Identifier: MIT
// WireConnector: the program's answers, and the handshake as the program hears of it. See wire_connector.h.
#include "transport/soft/connection/wire_connector.h"

#include <utility>

namespace opennd::soft {

// The receiver of the event loop's calls.
class WireConnector::Watch final : public EventLoop::Watcher {
public:
    explicit Watch(Ref<WireConnector> connector) : connector_(std::move(connector)) {}
    void on_ready(std::uint32_t epoll_events) override { connector_->on_ready(epoll_events); }

private:
    const Ref<WireConnector> connector_;
};

Status WireConnector::watch(int descriptor, std::uint32_t epoll_events) {
    const Ref<EventLoop::Watcher> watch(new Watch(Ref<WireConnector>(this)));
    return adapter_->event_loop().add(descriptor, epoll_events, watch);
}

// ---- the program's answers -------------------------------------------------------------------------------------------

void WireConnector::complete() {
    Ref<SoftQueuePair> ready, failed;
    Call established;
    {
        const Held lock(mutex_);
        if (state() == State::replied && has_last_word()) {
            // The peer's last word decides (ND2-CON-CMPL-02). This runs after it was handled.
            later([self = Ref<WireConnector>(this)] {
                self->on_ready(EventLoop::kPeerEnded);
                self->complete();
            });
        } else if (state() != State::replied) {
            failed = std::exchange(given_up_, nullptr);  // the peer ended it; the sink knows or will
        } else if (const Status status = begin_channel(); !ok(status)) {
            failed = queue_pair_;
            withdraw(Withdrawal::impossible);
            later(to_sink([status](ConnectorSink& to) { to.on_establish_failed(status); }));
        } else {
            ready = queue_pair_;
            established = to_sink([carrier = carrier_](ConnectorSink& to) { to.on_established(carrier); });
        }
    }
    if (failed) failed->end(Status::canceled);
    if (!ready) return;
    later([self = Ref<WireConnector>(this), ready, established = std::move(established)] {
        established();
        self->take_first_arrivals(*ready);
    });
}

void WireConnector::accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                           std::span<const std::byte> private_data) {
    const Ref<SoftQueuePair> pair(static_cast<SoftQueuePair*>(queue_pair.get()));
    Status status = Status::connection_aborted;  // given up by the peer: the sink knows or will
    {
        const Held lock(mutex_);
        if (state() == State::requested) {
            queue_pair_ = pair;
            note_reply(private_data);
            status = accept_request(limits, private_data);
            if (!ok(status)) {
                withdraw(Withdrawal::impossible);
                later(to_sink([](ConnectorSink& to) { to.on_establish_failed(Status::connection_aborted); }));
            }
        }
    }
    if (!ok(status)) pair->end(Status::canceled);
}

void WireConnector::reject(std::span<const std::byte> private_data) {
    const Held lock(mutex_);
    if (state() == State::requested || state() == State::replied) refuse(private_data);
}

// ---- the handshake --------------------------------------------------------------------------------------------------

void WireConnector::begin(const Address& local, const Address& remote, const ReadLimits& offer,
                          std::span<const std::byte> private_data, const Ref<TransportQueuePair>& queue_pair) {
    queue_pair_ = Ref<SoftQueuePair>(static_cast<SoftQueuePair*>(queue_pair.get()));
    limits_ = offer;
    note_request(local, remote, private_data);
}

WireConnector::Call WireConnector::connect_failed(Status status, std::vector<std::byte> private_data) {
    conclude();
    return to_sink([status, data = std::move(private_data)](ConnectorSink& to) { to.on_connect_failed(status, data); });
}

WireConnector::Call WireConnector::replied(std::vector<std::byte> private_data) {
    note_reply(private_data);
    must_advance(Event::reply);  // behind all that takes memory
    return to_sink(
        [limits = limits_, data = std::move(private_data)](ConnectorSink& to) { to.on_replied(limits, data); });
}

WireConnector::Call WireConnector::requested(ConnectionRequest request) {
    note_request(request.local, request.peer, request.private_data);
    must_advance(Event::request);
    return due([self = Ref<WireConnector>(this), listener = std::move(listener_), request = std::move(request)] {
        if (listener)
            listener->on_request(Ref<TransportConnector>(self), request);
        else
            self->end(Ending::give_up);
    });
}

WireConnector::Call WireConnector::opened() {
    must_advance(Event::open);
    return to_sink([carrier = carrier_](ConnectorSink& to) { to.on_established(carrier); });
}

}  // namespace opennd::soft
