// SPDX-License-Identifier: MIT
// The active end of a connection before and after its wire is known: chooses the wire at connect(), then forwards.
// (Passive ends come from the wire's listener and need no choice.)
#pragma once

#include "base/lock.h"
#include "transport/connector.h"
#include "transport/soft/adapter.h"

namespace opennd::soft {

class SoftConnector final : public TransportConnector {
public:
    explicit SoftConnector(Ref<SoftAdapter> adapter) : adapter_(std::move(adapter)) {}

    void set_sink(Ref<ConnectorSink> sink) override;
    void connect(const Address& local, PortOrigin origin, const Address& remote, const ReadLimits& offer,
                 std::span<const std::byte> private_data, Ref<TransportQueuePair> queue_pair) override;
    void complete() override;
    void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                std::span<const std::byte> private_data) override;
    void reject(std::span<const std::byte> private_data) override;
    void disconnect() override;
    void abort() override;
    void end_gracefully(std::chrono::milliseconds patience) override;
    void close(bool cancelled) override;
    bool abandoned() const override;
    ConnectionPath path() const override;

private:
    Ref<TransportConnector> chosen() const;
    Result<Ref<TransportConnector>> dial(const Address& remote);

    const Ref<SoftAdapter> adapter_;
    mutable Mutex mutex_;  // never held while the chosen end is called
    Ref<ConnectorSink> sink_ GUARDED_BY(mutex_);
    Ref<TransportConnector> chosen_ GUARDED_BY(mutex_);
};

}  // namespace opennd::soft
