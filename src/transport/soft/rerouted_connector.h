// SPDX-License-Identifier: MIT
// The active end of a connection that takes the next wire if the first one has no room for it: a wire on this host finds out late that
// address space, memory or descriptors are lacking, at either end (ND2-GEN-02).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/lock.h"
#include "transport/soft/wire.h"

namespace opennd::soft {

// Thread-safe, as every TransportConnector. Hands each call to the end that stands.
class ReroutedConnector final : public TransportConnector {
public:
    // `first` is to be asked to connect; `dial_next` finds the end of a wire behind those tried, or reports that there is none. It may put
    // another queue pair in the place of the one that connects.
    using DialNext = std::function<Result<Ref<ActiveEnd>>(Ref<TransportQueuePair>& queue_pair)>;
    ReroutedConnector(Ref<ActiveEnd> first, DialNext dial_next)
        : dial_next_(std::move(dial_next)), end_(std::move(first)) {}

    // Begins to connect, as ActiveEnd::connect. Once.
    void connect(Ref<ConnectorSink> sink, const Address& local, PortOrigin origin, const Address& remote,
                 const ReadLimits& offer, std::span<const std::byte> private_data, Ref<TransportQueuePair> queue_pair)
        EXCLUDES(mutex_);

    void set_sink(Ref<ConnectorSink> sink) override EXCLUDES(mutex_);
    void complete() override { chosen()->complete(); }
    void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                std::span<const std::byte> private_data) override {
        chosen()->accept(std::move(queue_pair), limits, private_data);
    }
    void reject(std::span<const std::byte> private_data) override { chosen()->reject(private_data); }
    void end(Ending how) override EXCLUDES(mutex_);
    void finish(std::chrono::milliseconds patience) override { chosen()->finish(patience); }
    bool abandoned() const override { return chosen()->abandoned(); }
    ConnectionPath path() const override { return chosen()->path(); }

private:
    class Events;
    // The arguments of connect().
    struct Question {
        Ref<ConnectorSink> sink;
        Address local, remote;
        PortOrigin origin;
        ReadLimits offer;
        std::vector<std::byte> private_data;
        Ref<TransportQueuePair> queue_pair;
    };

    Ref<ActiveEnd> chosen() const EXCLUDES(mutex_) {
        const Held lock(mutex_);
        return end_;
    }
    // Settles on the wire: the peer has answered, or nobody waits any more, and there is no other way from here on.
    void settle() EXCLUDES(mutex_) {
        std::unique_ptr<Question> question;  // released outside the lock
        const Held lock(mutex_);
        question.swap(question_);
    }
    bool reroute(Status why) EXCLUDES(mutex_);
    void ask(ActiveEnd& end, const Question& question) REQUIRES(mutex_);

    const DialNext dial_next_;  // under mutex_
    // This mutex is held while a listener is found and across ActiveEnd::connect, which calls no sink; above the locks
    // of the wires' connectors.
    mutable Mutex mutex_;
    Ref<ActiveEnd> end_ GUARDED_BY(mutex_);
    std::unique_ptr<Question> question_ GUARDED_BY(mutex_);  // null: settled
};

}  // namespace opennd::soft
