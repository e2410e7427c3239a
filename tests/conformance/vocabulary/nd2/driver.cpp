// SPDX-License-Identifier: MIT
//
// Opening adapters and creating objects. objects.cpp has the objects' calls.
#include "conformance/vocabulary/nd2/driver.h"

#include <opennd.h>

#include "conformance/vocabulary/nd2/objects.h"
#include "support/adapter.h"
#include "support/skipped_test.h"
#include "support/status.h"

namespace opennd::conformance::nd2 {
namespace {

using support::ComPtr;
using support::require;

class Nd2Adapter final : public Adapter {
public:
    Nd2Adapter() : object_(support::open_loopback_adapter()) {
        require(object_->CreateOverlappedFile(&file_), ND_SUCCESS, "CreateOverlappedFile");
    }

    ~Nd2Adapter() override {
        EXPECT_TRUE(support::is(opennd_handle_close(file_), ND_SUCCESS));
        EXPECT_EQ(object_.reset(), 0u) << "the last Release must return 0 (ND2-COM-06)";
    }

    Limits limits() override;

    std::unique_ptr<CompletionQueue> create_completion_queue(std::uint32_t depth) override {
        ComPtr<IND2CompletionQueue> queue;
        require(object_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, depth, 0, 0, queue.out()), ND_SUCCESS,
                "CreateCompletionQueue");
        return std::make_unique<Nd2CompletionQueue>(std::move(queue));
    }

    std::unique_ptr<MemoryRegion> create_memory_region() override {
        ComPtr<IND2MemoryRegion> region;
        require(object_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, region.out()), ND_SUCCESS,
                "CreateMemoryRegion");
        return std::make_unique<Nd2MemoryRegion>(std::move(region));
    }

    std::unique_ptr<MemoryWindow> create_memory_window() override {
        support::skip_without(info().MaxWindowSize, "memory windows", "MaxWindowSize");
        ComPtr<IND2MemoryWindow> window;
        require(object_->CreateMemoryWindow(IID_IND2MemoryWindow, window.out()), ND_SUCCESS, "CreateMemoryWindow");
        return std::make_unique<Nd2MemoryWindow>(std::move(window));
    }

    std::unique_ptr<QueuePair> create_queue_pair(CompletionQueue& received, CompletionQueue& initiated,
                                                 const QueuePairOptions& options) override {
        ComPtr<IND2QueuePair> queue_pair;
        require(object_->CreateQueuePair(IID_IND2QueuePair, dynamic_cast<Nd2CompletionQueue&>(received).get(),
                                         dynamic_cast<Nd2CompletionQueue&>(initiated).get(),
                                         reinterpret_cast<void*>(options.context), options.receive_depth,
                                         options.initiator_depth, options.receive_sge, options.initiator_sge,
                                         options.inline_bytes, queue_pair.out()),
                ND_SUCCESS, "CreateQueuePair");
        return std::make_unique<Nd2QueuePair>(std::move(queue_pair));
    }

    std::unique_ptr<SharedReceiveQueue> create_shared_receive_queue(const SharedReceiveQueueOptions& options) override {
        ComPtr<IND2SharedReceiveQueue> queue;
        require(object_->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, file_, options.depth, options.sge,
                                                  options.threshold, 0, 0, queue.out()),
                ND_SUCCESS, "CreateSharedReceiveQueue");
        return std::make_unique<Nd2SharedReceiveQueue>(std::move(queue));
    }

    std::unique_ptr<QueuePair> create_queue_pair(CompletionQueue& received, CompletionQueue& initiated,
                                                 SharedReceiveQueue& shared, const QueuePairOptions& options) override {
        ComPtr<IND2QueuePair> queue_pair;
        require(object_->CreateQueuePairWithSrq(IID_IND2QueuePair, dynamic_cast<Nd2CompletionQueue&>(received).get(),
                                                dynamic_cast<Nd2CompletionQueue&>(initiated).get(),
                                                dynamic_cast<Nd2SharedReceiveQueue&>(shared).get(),
                                                reinterpret_cast<void*>(options.context), options.initiator_depth,
                                                options.initiator_sge, options.inline_bytes, queue_pair.out()),
                ND_SUCCESS, "CreateQueuePairWithSrq");
        return std::make_unique<Nd2QueuePair>(std::move(queue_pair));
    }

    std::unique_ptr<Connector> create_connector() override {
        ComPtr<IND2Connector> connector;
        require(object_->CreateConnector(IID_IND2Connector, file_, connector.out()), ND_SUCCESS, "CreateConnector");
        return std::make_unique<Nd2Connector>(std::move(connector));
    }

    std::unique_ptr<Listener> create_listener() override {
        ComPtr<IND2Listener> listener;
        require(object_->CreateListener(IID_IND2Listener, file_, listener.out()), ND_SUCCESS, "CreateListener");
        return std::make_unique<Nd2Listener>(std::move(listener));
    }

private:
    ND2_ADAPTER_INFO info();

    ComPtr<IND2Adapter> object_;
    HANDLE file_ = nullptr;
};

ND2_ADAPTER_INFO Nd2Adapter::info() {
    ND2_ADAPTER_INFO info{};
    info.InfoVersion = ND_VERSION_2;
    ULONG size = sizeof info;
    require(object_->Query(&info, &size), ND_SUCCESS, "IND2Adapter::Query");
    return info;
}

Limits Nd2Adapter::limits() {
    const ND2_ADAPTER_INFO info = this->info();
    return {.max_registration_bytes = info.MaxRegistrationSize,
            .max_initiator_sge = info.MaxInitiatorSge,
            .max_receive_sge = info.MaxReceiveSge,
            .max_read_sge = info.MaxReadSge,
            .max_transfer_bytes = info.MaxTransferLength,
            .max_inline_bytes = info.MaxInlineDataSize,
            .max_inbound_reads = info.MaxInboundReadLimit,
            .max_outbound_reads = info.MaxOutboundReadLimit,
            .max_receive_depth = info.MaxReceiveQueueDepth,
            .max_initiator_depth = info.MaxInitiatorQueueDepth,
            .max_completion_depth = info.MaxCompletionQueueDepth,
            .max_shared_receive_depth = info.MaxSharedReceiveQueueDepth,
            .inline_threshold_bytes = info.InlineRequestThreshold,
            .large_threshold_bytes = info.LargeRequestThreshold,
            .max_caller_data_bytes = info.MaxCallerData,
            .max_callee_data_bytes = info.MaxCalleeData,
            .in_order_dma = (info.AdapterFlags & ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED) != 0};
}

class Nd2Driver final : public Driver {
public:
    std::unique_ptr<Adapter> open_adapter() override { return std::make_unique<Nd2Adapter>(); }

private:
    support::Startup startup_;
};

}  // namespace

std::unique_ptr<Driver> open_driver() { return std::make_unique<Nd2Driver>(); }

}  // namespace opennd::conformance::nd2
