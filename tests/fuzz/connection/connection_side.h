// SPDX-License-Identifier: MIT
// The program's end of one iWARP connection over TCP: a listener of this process, and for each connection a queue pair
// with posted receives, a region and a window that the peer may use, and watched bytes around them. The service thread
// drives it, as it does for a program that sleeps.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/lock.h"
#include "platform/memory/mappable_memory.h"
#include "platform/thread/event_loop.h"
#include "transport/soft/adapter.h"
#include "transport/soft/queue_pair/queue_pair.h"
#include "transport/soft/transport.h"

namespace opennd::fuzz {

// The program's steps on its side of the next connection.
struct SidePlan {
    std::size_t receives = 0;  // posted before it accepts
    std::uint32_t receive_bytes = 0;
    bool reads = false;    // posts a Read and a Send of its own when the connection is up
    bool flushes = false;  // and then flushes the queue pair
};

class ConnectionSide final : public ConnectorSink {
public:
    static constexpr std::size_t kMostReceives = 8;
    static constexpr std::uint32_t kMostBytes = 4096;
    enum Area : std::size_t { inbox, outbox, shared, vault, kAreas };  // vault: a window opens its second half

    // A peer asked: accepts. `ended`: a descriptor that is rung when the connection has ended, or never came to be.
    ConnectionSide(Ref<soft::SoftAdapter> adapter, Ref<TransportConnector> connector, const SidePlan& plan, int ended);
    ~ConnectionSide() override;
    void accept(const ReadLimits& limits);

    bool over() const { return over_.load(std::memory_order_acquire); }
    // The program's reaction to the end: everything completes, and memory that the peer had no right to is unchanged.
    void finish();

    std::uint64_t address(Area area) const { return reinterpret_cast<std::uint64_t>(area_[area]); }
    Token token(Area area) const { return memory_[area]->remote_token(); }
    Token window_token() const { return binding_->remote_token(); }

private:
    class Events final : public CompletionQueueSink {
        void on_completion_event(NotifyKind) override {}
        void on_overrun() override {}
    };

    void on_replied(const ReadLimits&, std::span<const std::byte>) override {}
    void on_connect_failed(Status, std::span<const std::byte>) override {}
    void on_established(const Carrier&) override;
    void on_establish_failed(Status) override { end(); }
    void on_disconnected(EndCause) override { end(); }
    bool on_peer_finished() override { return false; }
    void on_finished(Status) override {}
    void end();
    void post(Operation operation, Area area, std::uint32_t bytes);
    void check_memory() const;

    const Ref<soft::SoftAdapter> adapter_;
    const Ref<TransportConnector> connector_;
    const SidePlan plan_;
    const int ended_;
    Events events_;
    std::vector<std::byte> arena_;
    std::array<std::byte*, kAreas> area_{};
    std::array<Ref<TransportMemory>, kAreas> memory_;
    Ref<TransportCompletionQueue> completions_;
    Ref<soft::SoftQueuePair> queue_pair_;
    Ref<TransportWindowBinding> binding_;
    std::atomic<std::size_t> posted_{0};
    std::atomic<bool> up_{false}, over_{false};
};

// The listener, and the side of the connection that came last.
class ConnectionHost {
public:
    // Made once, never destroyed: the service thread lives as long as the process.
    static ConnectionHost& shared();

    std::uint16_t port() const { return port_; }
    // Readable when the side's connection has ended.
    int ended() const { return ended_; }
    void begin(const SidePlan& plan);
    // The newest caller; null: no peer has asked since begin().
    Ref<ConnectionSide> side();
    void forget();

private:
    class Sink;
    ConnectionHost();

    EventLoop loop_;
    MappableMemory memory_;
    std::unique_ptr<soft::SoftTransport> transport_;
    Ref<soft::SoftAdapter> adapter_;
    Ref<TransportListener> listener_;
    std::uint16_t port_ = 0;
    int ended_ = -1;
    Mutex mutex_;
    SidePlan plan_ GUARDED_BY(mutex_);
    Ref<ConnectionSide> side_ GUARDED_BY(mutex_);
};

}  // namespace opennd::fuzz
