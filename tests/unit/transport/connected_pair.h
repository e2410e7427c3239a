// SPDX-License-Identifier: MIT
// Two queue pairs of the software RNIC, connected over a wire, for tests at the seam (transport/*.h).
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "platform/memory/mappable_memory.h"
#include "platform/thread/event_loop.h"
#include "transport/iwarp/handshake/wire.h"
#include "transport/loopback/wire.h"
#include "transport/shm/wire.h"
#include "transport/soft/transport.h"

namespace opennd::test {

// A sink's events, to be waited for.
class Heard {
public:
    void set(Status status);
    // Waits, at most ten seconds; timed_out then.
    Status wait();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Status> status_;
};

class RecordingSink final : public ConnectorSink {
public:
    Heard replied, failed, established, disconnected, peer_finished, ended;
    ReadLimits limits;
    std::atomic<bool> outlives_notice{false};  // a peer that ends gracefully is waited for

    void on_replied(const ReadLimits& effective, std::span<const std::byte>) override;
    void on_connect_failed(Status status, std::span<const std::byte>) override { replied.set(status); }
    void on_established(const Carrier&) override { established.set(Status::success); }
    void on_establish_failed(Status status) override { established.set(status); }
    void on_disconnected(EndCause cause) override { disconnected.set(status_of(cause)); }
    bool on_peer_finished() override {
        peer_finished.set(Status::success);
        return outlives_notice;
    }
    void on_finished(Status status) override { ended.set(status); }
};

// Hands the first request to the waiting thread.
class OneRequest final : public ListenerSink {
public:
    Heard arrived;
    Ref<TransportConnector> connector;
    void on_request(Ref<TransportConnector> from, ConnectionRequest) override {
        connector = std::move(from);
        arrived.set(Status::success);
    }
};

// 127.0.0.1, port in host order.
Address loopback_address(std::uint16_t port = 0);

// Counts the events of a completion queue.
class CountingSink final : public CompletionQueueSink {
public:
    Heard event;
    void on_completion_event(NotifyKind) override { event.set(Status::success); }
    void on_overrun() override {}
};

class LowSink final : public SharedReceiveQueueSink {
public:
    Heard low;
    void on_low() override { low.set(Status::success); }
    void on_failed() override {}
};

// One side: an adapter with one completion queue and one queue pair.
struct Side {
    Ref<TransportAdapter> adapter;
    Ref<TransportAdapter> connecting_adapter;  // the same, but for PairTerms
    CountingSink events;
    Ref<TransportCompletionQueue> completions;
    LowSink shortage;
    Ref<TransportSharedReceiveQueue> shared_receives;  // null: the queue pair has its own
    Ref<TransportQueuePair> queue_pair;
    Ref<TransportConnector> connector;
    Ref<RecordingSink> sink = make_ref<RecordingSink>();

    // Polls until a completion comes, at most ten seconds; then the test has failed.
    Completion next();
};

enum class WireKind { loopback, shm, iwarp };
std::string name(WireKind kind);

// As the kernel's interface has its pairs, beside the others'.
struct PairTerms {
    bool waits_for_receives = false;
    bool connected_by_another_open =
        false;  // connectors and completion queues are another adapter's of the same address
    soft::Settings settings = {};
    soft::ChannelLayer& layer = soft::no_layer();
};

class ConnectedPair {
public:
    // `passive_shares`: the passive side's receives come from a shared queue of these limits.
    explicit ConnectedPair(WireKind kind, const QueuePairLimits& limits = {64, 64, 4, 4, 256},
                           std::optional<SharedReceiveQueueLimits> passive_shares = std::nullopt,
                           const PairTerms& terms = {});
    ~ConnectedPair();

    EventLoop loop;
    MappableMemory memory;
    Side active, passive;

private:
    void open(Side& side, const QueuePairLimits& limits, std::optional<SharedReceiveQueueLimits> shares,
              const PairTerms& terms);

    std::unique_ptr<soft::SoftTransport> transport_;
};

}  // namespace opennd::test
