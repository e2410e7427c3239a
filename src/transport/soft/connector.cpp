// SPDX-License-Identifier: MIT
// SoftConnector: see connector.h.
#include "transport/soft/connector.h"

#include "base/explanation.h"
#include "transport/soft/transport.h"

namespace opennd::soft {

Ref<TransportConnector> SoftConnector::chosen() const {
    const Held lock(mutex_);
    return chosen_;
}

void SoftConnector::set_sink(Ref<ConnectorSink> sink) {
    Ref<TransportConnector> chosen;
    Ref<ConnectorSink> replaced = sink;  // the old one is released outside the lock
    {
        const Held lock(mutex_);
        std::swap(sink_, replaced);
        chosen = chosen_;
    }
    if (chosen) chosen->set_sink(std::move(sink));
}

void SoftConnector::connect(const Address& local, PortOrigin origin, const Address& remote, const ReadLimits& offer,
                            std::span<const std::byte> private_data, Ref<TransportQueuePair> queue_pair) {
    auto end = dial(remote);
    Ref<ConnectorSink> sink;
    {
        const Held lock(mutex_);
        sink = sink_;
        chosen_ = end.ok() ? end.value() : nullptr;
    }
    if (end.ok()) {
        end.value()->set_sink(sink);
        end.value()->connect(local, origin, remote, offer, private_data, std::move(queue_pair));
    } else if (sink) {
        // Never from inside the program's call (ND2-CON-CONN-04).
        adapter_->event_loop().post([sink, status = end.status()] { sink->on_connect_failed(status, {}); });
    }
}

// The first of the chosen wires that finds somebody listening.
Result<Ref<TransportConnector>> SoftConnector::dial(const Address& remote) {
    Status outcome = Status::network_unreachable;
    std::string reasons;
    for (Wire* wire : adapter_->transport().chosen_wires()) {
        std::string reason;
        if (!wire->reaches(remote, reason)) {
            reasons += format("; {}: {}", wire->name(), reason);
            continue;
        }
        auto end = wire->dial(adapter_, remote);
        if (end.ok()) {
            log(LogLevel::info, "connection to {}: transport {}, {}", remote.text(), wire->name(), reason);
            return end;
        }
        outcome = end.status();
        reasons += format("; {}: {}", wire->name(), name(outcome));
    }
    return report(outcome, {.object = "connector",
                            .operation = "Connect",
                            .asked = phrase("a connection to {}", remote.text()),
                            .limit = reasons.empty() ? std::string_view("no transport is chosen")
                                                     : std::string_view(reasons).substr(2),
                            .remedy = "start a listener there, or choose other transports (OPENND_TRANSPORT)",
                            .requirement = "ND2-CON-CONN-05"});
}

void SoftConnector::complete() {
    if (const auto end = chosen()) end->complete();
}

void SoftConnector::accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                           std::span<const std::byte> private_data) {
    if (const auto end = chosen()) end->accept(std::move(queue_pair), limits, private_data);
}

void SoftConnector::reject(std::span<const std::byte> private_data) {
    if (const auto end = chosen()) end->reject(private_data);
}

void SoftConnector::disconnect() {
    if (const auto end = chosen()) end->disconnect();
}

void SoftConnector::abort() {
    if (const auto end = chosen()) end->abort();
}

void SoftConnector::end_gracefully(std::chrono::milliseconds patience) {
    if (const auto end = chosen()) end->end_gracefully(patience);
}

void SoftConnector::close(bool cancelled) {
    if (const auto end = chosen()) end->close(cancelled);
    set_sink(nullptr);
}

bool SoftConnector::abandoned() const {
    const auto end = chosen();
    return end && end->abandoned();
}

ConnectionPath SoftConnector::path() const {
    const auto end = chosen();
    return end ? end->path() : ConnectionPath{};
}

}  // namespace opennd::soft
