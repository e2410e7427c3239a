// SPDX-License-Identifier: MIT
//
// Opening adapters and creating objects. An endpoint of version 1 is its connector's, where the vocabulary makes queue
// pair and connector apart: the connector made after a queue pair is the one it belongs to.
#include "conformance/vocabulary/nd1/driver.h"

#include <algorithm>
#include <deque>

#include "conformance/vocabulary/nd1/objects.h"
#include "support/adapter.h"
#include "support/skipped_test.h"
#include "support/status.h"

namespace opennd::conformance::nd1 {
namespace {

using support::ComPtr;
using support::require;

// Reads in progress that endpoints are made for: the vocabulary's default.
constexpr SIZE_T kReads = ReadLimits{}.inbound;

class Nd1Adapter final : public Adapter {
public:
    Nd1Adapter() {
        const SocketAddress address = support::loopback_address();
        require(NdOpenV1Adapter(support::as_sockaddr(address), sizeof address, object_.put()), S_OK, "NdOpenV1Adapter");
    }

    Limits limits() override;

    std::unique_ptr<CompletionQueue> create_completion_queue(std::uint32_t depth) override {
        ComPtr<INDCompletionQueue> queue;
        require(object_->CreateCompletionQueue(depth, queue.put()), ND_SUCCESS, "CreateCompletionQueue");
        return std::make_unique<Nd1CompletionQueue>(std::move(queue), posted_);
    }

    std::unique_ptr<MemoryRegion> create_memory_region() override {
        return std::make_unique<Nd1MemoryRegion>(another_reference());
    }

    std::unique_ptr<MemoryWindow> create_memory_window() override {
        support::skip_without(info().MaxWindowSize, "memory windows", "MaxWindowSize");
        ComPtr<INDMemoryWindow> window;
        require(object_->CreateMemoryWindow(nullptr, window.put()), ND_SUCCESS, "CreateMemoryWindow");
        return std::make_unique<Nd1MemoryWindow>(std::move(window));
    }

    std::unique_ptr<QueuePair> create_queue_pair(CompletionQueue& received, CompletionQueue& initiated,
                                                 const QueuePairOptions& options) override {
        ComPtr<INDConnector> connector = new_connector();
        ComPtr<INDEndpoint> endpoint;
        require(connector->CreateEndpoint(dynamic_cast<Nd1CompletionQueue&>(received).get(),
                                          dynamic_cast<Nd1CompletionQueue&>(initiated).get(), options.receive_depth,
                                          options.initiator_depth, options.receive_sge, initiator_sge(options), kReads,
                                          kReads, nullptr, endpoint.put()),
                ND_SUCCESS, "CreateEndpoint");
        unpaired_.push_back(std::move(connector));
        return std::make_unique<Nd1QueuePair>(std::move(endpoint), posted_, options.context);
    }

    std::unique_ptr<SharedReceiveQueue> create_shared_receive_queue(const SharedReceiveQueueOptions&) override {
        throw std::logic_error("version 1 has no shared receive queues");
    }
    std::unique_ptr<QueuePair> create_queue_pair(CompletionQueue&, CompletionQueue&, SharedReceiveQueue&,
                                                 const QueuePairOptions&) override {
        throw std::logic_error("version 1 has no shared receive queues");
    }

    std::unique_ptr<Connector> create_connector() override {
        if (unpaired_.empty()) return std::make_unique<Nd1Connector>(new_connector());
        ComPtr<INDConnector> connector = std::move(unpaired_.front());
        unpaired_.pop_front();
        return std::make_unique<Nd1Connector>(std::move(connector));
    }

    std::unique_ptr<Listener> create_listener() override { return std::make_unique<Nd1Listener>(another_reference()); }

private:
    ND_ADAPTER_INFO info();
    // The vocabulary's default is more than some adapters have; a test that posts more than one entry asks for the limits.
    SIZE_T initiator_sge(const QueuePairOptions& options) {
        const bool by_default = options.initiator_sge == QueuePairOptions{}.initiator_sge;
        return by_default ? std::min<SIZE_T>(options.initiator_sge, info().MaxOutboundSge) : options.initiator_sge;
    }
    ComPtr<INDAdapter> another_reference() {
        ComPtr<INDAdapter> reference;
        require(object_->QueryInterface(IID_INDAdapter, reference.out()), S_OK, "QueryInterface");
        return reference;
    }
    ComPtr<INDConnector> new_connector() {
        ComPtr<INDConnector> connector;
        require(object_->CreateConnector(connector.put()), ND_SUCCESS, "CreateConnector");
        return connector;
    }

    ComPtr<INDAdapter> object_;
    const SharedPosted posted_ = std::make_shared<PostedRequests>();
    std::deque<ComPtr<INDConnector>> unpaired_;
};

ND_ADAPTER_INFO Nd1Adapter::info() {
    ND_ADAPTER_INFO info{};
    SIZE_T size = sizeof info;
    require(object_->Query(ND_VERSION_1, &info, &size), ND_SUCCESS, "INDAdapter::Query");
    return info;
}

Limits Nd1Adapter::limits() {
    const ND_ADAPTER_INFO info = this->info();
    const auto number = [](SIZE_T value) { return static_cast<std::uint32_t>(value); };
    return {.max_registration_bytes = info.MaxRegistrationSize,
            .max_initiator_sge = number(info.MaxOutboundSge),
            .max_receive_sge = number(info.MaxInboundSge),
            .max_read_sge = number(info.MaxOutboundSge),
            .max_transfer_bytes = number(info.MaxOutboundLength),
            .max_inline_bytes = number(info.MaxInlineData),
            .max_inbound_reads = number(info.MaxInboundReadLimit),
            .max_outbound_reads = number(info.MaxOutboundReadLimit),
            .max_receive_depth = number(info.MaxInboundRequests),
            .max_initiator_depth = number(info.MaxOutboundRequests),
            .max_completion_depth = number(info.MaxCqEntries),
            .max_shared_receive_depth = 0,
            .inline_threshold_bytes = number(info.MaxInlineData),
            .large_threshold_bytes = number(info.LargeRequestThreshold),
            .max_caller_data_bytes = number(info.MaxCallerData),
            .max_callee_data_bytes = number(info.MaxCalleeData),
            .in_order_dma = true};
}

class Nd1Driver final : public Driver {
public:
    std::unique_ptr<Adapter> open_adapter() override { return std::make_unique<Nd1Adapter>(); }

private:
    support::Startup startup_;
};

}  // namespace

std::unique_ptr<Driver> open_driver() { return std::make_unique<Nd1Driver>(); }

}  // namespace opennd::conformance::nd1
