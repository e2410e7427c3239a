// SPDX-License-Identifier: MIT
// A transport that does nothing by itself: it records core's calls, and a test plays the peer by calling the sinks.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "transport/adapter.h"

namespace opennd::fake {

struct FakeMemory final : TransportMemory {
    Token local_token() const override { return Token{0x11}; }
    Token remote_token() const override { return Token{0x22}; }
    void deregister() override { deregistered = true; }
    bool deregistered = false;
};

struct FakeCompletionQueue final : TransportCompletionQueue {
    explicit FakeCompletionQueue(CompletionQueueSink& to) : sink(&to) {}

    std::size_t poll(std::span<Completion> completions) override {
        std::size_t taken = 0;
        while (taken < completions.size() && !waiting.empty()) {
            completions[taken++] = waiting.front();
            waiting.erase(waiting.begin());
        }
        return taken;
    }
    void arm(NotifyKind kind) override {
        armed.push_back(kind);
        if (kind == NotifyKind::any && !waiting.empty()) sink->on_completion_event(kind);
    }
    void disarm() override { ++disarmed; }
    WaitingCompletions count_waiting() override { return {waiting.size(), 0}; }
    Status resize(std::uint32_t depth) override { return resized_to = depth, Status::success; }
    void close() override { sink = nullptr; }

    CompletionQueueSink* sink;
    std::vector<Completion> waiting;
    std::vector<NotifyKind> armed;
    int disarmed = 0;
    std::uint32_t resized_to = 0;
};

struct FakeSharedReceiveQueue final : TransportSharedReceiveQueue {
    FakeSharedReceiveQueue(const SharedReceiveQueueLimits& made_for, SharedReceiveQueueSink& to)
        : limits(made_for), sink(&to) {}

    Status post(void*, std::span<const Sge> sges) override {
        last_sges.assign(sges.begin(), sges.end());
        return ++posted, Status::success;
    }
    void arm() override {
        ++armed;
        if (waiting < limits.threshold) sink->on_low();
    }
    Status modify(std::uint32_t depth, std::uint32_t threshold) override {
        if (ok(refusal)) limits.depth = depth, limits.threshold = threshold;
        return refusal;
    }
    std::uint32_t count_posted() override { return 0; }
    void close() override { sink = nullptr; }

    SharedReceiveQueueLimits limits;
    SharedReceiveQueueSink* sink;
    std::vector<Sge> last_sges;
    std::uint32_t waiting = 0;  // the receives left for messages, set by a test
    int posted = 0, armed = 0;
    Status refusal = Status::success;
};

struct FakeQueuePair final : TransportQueuePair {
    Status post(const WorkRequest& request) override {
        posted.push_back(request.operation);
        last_sges.assign(request.sges.begin(), request.sges.end());
        last_flags = request.flags;
        return Status::success;
    }
    void flush() override { ++flushes; }
    void end(Status oldest) override {
        if (!ended_with) ended_with = oldest;  // nothing is outstanding any more
    }
    void end_soon(Status oldest) override { ends_soon_with = oldest; }
    bool heard() const override { return has_heard; }
    void close() override { closed = true; }
    QueuePairUse use() override { return {}; }
    QueuePairState state() const override { return current; }

    std::vector<Operation> posted;
    std::vector<Sge> last_sges;
    RequestFlags last_flags = RequestFlags::none;
    int flushes = 0;
    std::optional<Status> ended_with, ends_soon_with;
    bool has_heard = false;
    bool closed = false;
    QueuePairState current = QueuePairState::idle;
};

struct FakeConnector final : TransportConnector {
    void set_sink(Ref<ConnectorSink> to) override { sink = std::move(to); }
    void complete() override { calls.emplace_back("complete"); }
    void accept(Ref<TransportQueuePair>, const ReadLimits& limits, std::span<const std::byte>) override {
        calls.emplace_back("accept");
        offer = limits;
    }
    void reject(std::span<const std::byte>) override { calls.emplace_back("reject"); }
    void end(Ending how) override { calls.emplace_back(enumerator_name(how)); }
    void finish(std::chrono::milliseconds) override { calls.emplace_back("finish"); }
    bool abandoned() const override { return gone; }
    ConnectionPath path() const override { return {"fake", "memory"}; }

    Ref<ConnectorSink> sink;
    std::vector<std::string> calls;
    Address remote;
    ReadLimits offer;
    bool gone = false;
};

struct FakeListener final : TransportListener {
    explicit FakeListener(Ref<ListenerSink> to) : sink(std::move(to)) {}

    Result<Address> bind(const Address& address) override {
        if (address_in_use) return Status::address_in_use;
        return address.port() != 0 ? address : address.with_port(50000);
    }
    Status listen(std::uint32_t) override { return Status::success; }
    void close() override { sink = nullptr; }

    Ref<ListenerSink> sink;
    bool address_in_use = false;
};

struct FakeWindowBinding final : TransportWindowBinding {
    bool ended = false;

    Token remote_token() const override { return static_cast<Token>(77); }
    bool alive() const override { return !ended; }
    bool at_rest() const override { return ended; }
    void end() override { ended = true; }
};

struct FakeFastRegion final : TransportFastRegion {
    Token local_token() const override { return Token{0x33}; }
    Token remote_token() const override { return Token{0x44}; }
    bool valid() const override { return registered; }
    Ref<TransportRequestSubject> prepare(const PageList& list, Access rights, Reach may) override {
        pages.assign(list.pages.begin(), list.pages.end());
        first_byte = list.first_byte;
        access = rights;
        reach = may;
        return Ref<TransportRequestSubject>(this);
    }
    void close() override { closed = true; }

    std::vector<std::uint64_t> pages;
    std::uint32_t first_byte = 0;
    Access access = Access::none;
    Reach reach = Reach::local;
    bool registered = false, closed = false;
};

struct FakeAdapter final : TransportAdapter {
    const AdapterLimits& limits() const override { return adapter_limits; }
    const AdapterTraits& traits() const override { return adapter_traits; }
    Result<Ref<TransportMemory>> register_memory(std::byte*, std::size_t, Access) override {
        if (memory_failure) return *memory_failure;
        memory = make_ref<FakeMemory>();
        return Ref<TransportMemory>(memory);
    }
    Result<Ref<TransportMemory>> register_pages(const PageList& list, Access access) override {
        registered_pages.assign(list.pages.begin(), list.pages.end());
        return register_memory(nullptr, list.length, access);
    }
    Result<Ref<TransportMemory>> register_address_space() override {
        return register_memory(nullptr, 0, Access::local_write);
    }
    Result<Ref<TransportFastRegion>> create_fast_region() override {
        fast_region = make_ref<FakeFastRegion>();
        return Ref<TransportFastRegion>(fast_region);
    }
    bool names_fast_region(Token local) const override { return fast_region && fast_region->local_token() == local; }
    Result<Ref<TransportCompletionQueue>> create_completion_queue(std::uint32_t, NotifyRule rule,
                                                                  CompletionQueueSink& sink) override {
        notify_rule = rule;
        completion_queue = make_ref<FakeCompletionQueue>(sink);
        return Ref<TransportCompletionQueue>(completion_queue);
    }
    Result<Ref<TransportSharedReceiveQueue>> create_shared_receive_queue(const SharedReceiveQueueLimits& limits,
                                                                         SharedReceiveQueueSink& sink) override {
        shared_receive_queue = make_ref<FakeSharedReceiveQueue>(limits, sink);
        return Ref<TransportSharedReceiveQueue>(shared_receive_queue);
    }
    Result<Ref<TransportQueuePair>> create_queue_pair(const QueuePairParameters& parameters) override {
        queue_pair_limits = parameters.limits;
        queue_pair_shares = parameters.shared_receive_queue;
        queue_pair = make_ref<FakeQueuePair>();
        return Ref<TransportQueuePair>(queue_pair);
    }
    Result<Ref<TransportWindowBinding>> bind_window(TransportQueuePair&, TransportMemory&, std::byte*, std::size_t,
                                                    Access, const BindingTerms& terms) override {
        binding_terms = terms;
        window_binding = make_ref<FakeWindowBinding>();
        return Ref<TransportWindowBinding>(window_binding);
    }
    Ref<TransportConnector> connect(Ref<ConnectorSink> sink, const Address&, PortOrigin, const Address& remote,
                                    const ReadLimits& offer, std::span<const std::byte>,
                                    Ref<TransportQueuePair>) override {
        connector = make_ref<FakeConnector>();
        connector->set_sink(std::move(sink));
        connector->calls.emplace_back("connect");
        connector->remote = remote;
        connector->offer = offer;
        return connector;
    }
    Result<Ref<TransportListener>> create_listener(Ref<ListenerSink> sink) override {
        listener = make_ref<FakeListener>(std::move(sink));
        return Ref<TransportListener>(listener);
    }

    AdapterLimits adapter_limits{.max_registration_bytes = 1u << 20,
                                 .max_initiator_sges = 16,
                                 .max_receive_sges = 16,
                                 .max_read_sges = 2,
                                 .max_transfer_bytes = 1000,
                                 .max_inline_bytes = 512,
                                 .max_inbound_reads = 8,
                                 .max_outbound_reads = 8,
                                 .max_receive_depth = 64,
                                 .max_initiator_depth = 64,
                                 .max_shared_receive_depth = 32,
                                 .max_completion_depth = 256,
                                 .inline_threshold_bytes = 64,
                                 .large_threshold_bytes = 4096,
                                 .max_caller_data_bytes = 56,
                                 .max_callee_data_bytes = 148,
                                 .max_private_data_bytes = 508};
    AdapterTraits adapter_traits{.max_window_bytes = 1u << 20, .max_fast_pages = 65536};
    std::optional<Status> memory_failure;
    QueuePairLimits queue_pair_limits;
    NotifyRule notify_rule = NotifyRule::level;
    BindingTerms binding_terms;
    Ref<TransportSharedReceiveQueue> queue_pair_shares;
    // The newest object of each kind.
    Ref<FakeMemory> memory;
    std::vector<std::uint64_t> registered_pages;
    Ref<FakeFastRegion> fast_region;
    Ref<FakeCompletionQueue> completion_queue;
    Ref<FakeSharedReceiveQueue> shared_receive_queue;
    Ref<FakeQueuePair> queue_pair;
    Ref<FakeConnector> connector;
    Ref<FakeListener> listener;
    Ref<FakeWindowBinding> window_binding;
};

}  // namespace opennd::fake
