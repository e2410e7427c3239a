// SPDX-License-Identifier: MIT
// See rerouted_connector.h.
#include "transport/soft/rerouted_connector.h"

#include <new>
#include <utility>

namespace opennd::soft {

// The sink of a wire's end, which hands its events on to core. Until the peer has answered the other way is `owner`;
// afterwards it is let go, so that the two do not keep each other.
class ReroutedConnector::Events final : public ConnectorSink {
public:
    Events(Ref<ConnectorSink> sink, Ref<ReroutedConnector> owner) : sink_(std::move(sink)), owner_(std::move(owner)) {}

    void on_replied(const ReadLimits& limits, std::span<const std::byte> private_data) override {
        if (const auto owner = std::exchange(owner_, nullptr)) owner->settle();
        sink_->on_replied(limits, private_data);
    }
    void on_connect_failed(Status status, std::span<const std::byte> private_data) override {
        const auto owner = std::exchange(owner_, nullptr);
        if (!owner || !owner->reroute(status)) sink_->on_connect_failed(status, private_data);
    }
    void on_established(const Carrier& carrier) override { sink_->on_established(carrier); }
    void on_establish_failed(Status status) override { sink_->on_establish_failed(status); }
    void on_disconnected(EndCause cause) override { sink_->on_disconnected(cause); }
    bool on_peer_finished() override { return sink_->on_peer_finished(); }
    void on_finished(Status status) override { sink_->on_finished(status); }

private:
    const Ref<ConnectorSink> sink_;
    Ref<ReroutedConnector> owner_;  // of the one event that answers the request
};

void ReroutedConnector::connect(Ref<ConnectorSink> sink, const Address& local, PortOrigin origin, const Address& remote,
                                const ReadLimits& offer, std::span<const std::byte> private_data,
                                Ref<TransportQueuePair> queue_pair) {
    const Held lock(mutex_);
    question_ = std::make_unique<Question>(Question{std::move(sink),
                                                    local,
                                                    remote,
                                                    origin,
                                                    offer,
                                                    {private_data.begin(), private_data.end()},
                                                    std::move(queue_pair)});
    ask(*end_, *question_);
}

void ReroutedConnector::ask(ActiveEnd& end, const Question& question) {
    end.set_sink(make_ref<Events>(question.sink, Ref<ReroutedConnector>(this)));
    end.connect(question.local, question.origin, question.remote, question.offer, question.private_data,
                question.queue_pair);
}

void ReroutedConnector::set_sink(Ref<ConnectorSink> sink) {
    settle();
    chosen()->set_sink(std::move(sink));
}

void ReroutedConnector::end(Ending how) {
    settle();
    chosen()->end(how);
}

// Returns true if another wire tries, and tells how that ends.
bool ReroutedConnector::reroute(Status why) {
    if (why != Status::no_memory && why != Status::insufficient_resources) return false;
    Ref<ActiveEnd> before;  // released outside the lock, as the question
    std::unique_ptr<Question> question;
    const Held lock(mutex_);
    if (!question_) return false;
    question = std::exchange(question_, nullptr);
    try {
        auto next = dial_next_(question->queue_pair);
        if (!next.ok()) return false;
        ask(*next.value(), *question);
        before = std::exchange(end_, next.take());
        question_ = std::move(question);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

}  // namespace opennd::soft
