// SPDX-License-Identifier: MIT
//
// Opening adapters and creating objects. An adapter of the vocabulary is an instance and one protection domain of it.
// objects.cpp and connection.cpp have the objects' calls.
#include "conformance/vocabulary/ndk/driver.h"

#include "conformance/vocabulary/ndk/connection.h"
#include "conformance/vocabulary/ndk/objects.h"
#include "support/adapter.h"
#include "support/skipped_test.h"

namespace opennd::conformance::ndk {

Instance::Instance() {
    const SocketAddress address = support::loopback_address();
    support::require(opennd_ndk_open_adapter_by_address({2, 1}, support::as_sockaddr(address),
                                                        static_cast<ULONG>(address.length()), 0, &adapter_),
                     STATUS_SUCCESS, "opennd_ndk_open_adapter_by_address");
}

namespace {

NDK_CQ* queue_of(CompletionQueue& queue) { return dynamic_cast<NdkCompletionQueue&>(queue).get(); }

class NdkAdapter final : public Adapter {
public:
    Limits limits() override;

    std::unique_ptr<CompletionQueue> create_completion_queue(std::uint32_t depth) override {
        return std::make_unique<NdkCompletionQueue>(instance_, depth);
    }
    std::unique_ptr<MemoryRegion> create_memory_region() override {
        return std::make_unique<NdkMemoryRegion>(instance_, domain_.get());
    }
    std::unique_ptr<MemoryWindow> create_memory_window() override {
        support::skip_without(info().MaxWindowSize, "memory windows", "MaxWindowSize");
        return std::make_unique<NdkMemoryWindow>(instance_, domain_.get());
    }
    std::unique_ptr<SharedReceiveQueue> create_shared_receive_queue(const SharedReceiveQueueOptions& options) override {
        return std::make_unique<NdkSharedReceiveQueue>(instance_, domain_.get(), options);
    }
    std::unique_ptr<Connector> create_connector() override { return std::make_unique<NdkConnector>(instance_); }
    std::unique_ptr<Listener> create_listener() override { return std::make_unique<NdkListener>(instance_); }

    std::unique_ptr<QueuePair> create_queue_pair(CompletionQueue& received, CompletionQueue& initiated,
                                                 const QueuePairOptions& options) override {
        return std::make_unique<NdkQueuePair>(
            instance_, made<NDK_QP>("NdkCreateQp", [&](NDK_QP** out) {
                return domain_.call().NdkCreateQp(domain_.get(), queue_of(received), queue_of(initiated),
                                                  reinterpret_cast<PVOID>(options.context), options.receive_depth,
                                                  options.initiator_depth, options.receive_sge, options.initiator_sge,
                                                  options.inline_bytes, nullptr, nullptr, out);
            }));
    }

    std::unique_ptr<QueuePair> create_queue_pair(CompletionQueue& received, CompletionQueue& initiated,
                                                 SharedReceiveQueue& shared, const QueuePairOptions& options) override {
        return std::make_unique<NdkQueuePair>(
            instance_, made<NDK_QP>("NdkCreateQpWithSrq", [&](NDK_QP** out) {
                return domain_.call().NdkCreateQpWithSrq(
                    domain_.get(), queue_of(received), queue_of(initiated),
                    dynamic_cast<NdkSharedReceiveQueue&>(shared).get(), reinterpret_cast<PVOID>(options.context),
                    options.initiator_depth, options.initiator_sge, options.inline_bytes, nullptr, nullptr, out);
            }));
    }

private:
    NDK_ADAPTER_INFO info();

    const SharedInstance instance_ = std::make_shared<Instance>();
    const Handle<NDK_PD> domain_{instance_, made<NDK_PD>("NdkCreatePd", [this](NDK_PD** out) {
                                     NDK_ADAPTER* const adapter = instance_->get();
                                     return adapter->Dispatch->NdkCreatePd(adapter, nullptr, nullptr, out);
                                 })};
};

NDK_ADAPTER_INFO NdkAdapter::info() {
    NDK_ADAPTER_INFO info{};
    ULONG size = sizeof info;
    NDK_ADAPTER* const adapter = instance_->get();
    support::require(adapter->Dispatch->NdkQueryAdapterInfo(adapter, &info, &size), STATUS_SUCCESS,
                     "NdkQueryAdapterInfo");
    return info;
}

Limits NdkAdapter::limits() {
    const NDK_ADAPTER_INFO info = this->info();
    return {.max_registration_bytes = info.MaxRegistrationSize,
            .max_initiator_sge = info.MaxInitiatorRequestSge,
            .max_receive_sge = info.MaxReceiveRequestSge,
            .max_read_sge = info.MaxReadRequestSge,
            .max_transfer_bytes = info.MaxTransferLength,
            .max_inline_bytes = info.MaxInlineDataSize,
            .max_inbound_reads = info.MaxInboundReadLimit,
            .max_outbound_reads = info.MaxOutboundReadLimit,
            .max_receive_depth = info.MaxReceiveQueueDepth,
            .max_initiator_depth = info.MaxInitiatorQueueDepth,
            .max_completion_depth = info.MaxCqDepth,
            .max_shared_receive_depth = info.MaxSrqDepth,
            .inline_threshold_bytes = info.MaxInlineDataSize,
            .large_threshold_bytes = info.LargeRequestThreshold,
            .max_caller_data_bytes = info.MaxCallerData,
            .max_callee_data_bytes = info.MaxCalleeData,
            .in_order_dma = (info.AdapterFlags & NDK_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED) != 0};
}

class NdkDriver final : public Driver {
public:
    std::unique_ptr<Adapter> open_adapter() override { return std::make_unique<NdkAdapter>(); }
};

}  // namespace

std::unique_ptr<Driver> open_driver() { return std::make_unique<NdkDriver>(); }

}  // namespace opennd::conformance::ndk
