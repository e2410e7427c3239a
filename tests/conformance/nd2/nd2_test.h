// SPDX-License-Identifier: MIT
//
// Fixture for the promises of version 2 alone: raw interfaces, one adapter, one overlapped file. These rules do not
// depend on the transport, so the tests are not parametrised.
#pragma once

#include <gtest/gtest.h>
#include <opennd.h>

#include "support/adapter.h"
#include "support/buffer.h"
#include "support/diagnostics.h"
#include "support/overlapped_request.h"
#include "support/requirement.h"
#include "support/status.h"

namespace opennd::conformance::nd2 {

using support::as_sockaddr;
using support::ComPtr;
using support::finish;
using support::is;
using support::is_one_of;
using support::loopback_address;
using support::OverlappedRequest;
using support::proves;
using support::provokes;

inline constexpr DWORD kWaitMs = 10'000;
inline constexpr HRESULT kAddressAlreadyAssociated = static_cast<HRESULT>(0xC0000238);
inline constexpr HRESULT kAddressNotAssociated = static_cast<HRESULT>(0xC0000239);

class Nd2Test : public testing::Test {
protected:
    Nd2Test() {
        support::require(adapter_->CreateOverlappedFile(&file_), ND_SUCCESS, "CreateOverlappedFile");
        ULONG size = sizeof info_;
        support::require(adapter_->Query(&info_, &size), ND_SUCCESS, "Query");
    }

    ~Nd2Test() override { opennd_handle_close(file_); }

    ComPtr<IND2CompletionQueue> completion_queue(ULONG depth = 16) {
        ComPtr<IND2CompletionQueue> queue;
        support::require(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, depth, 0, 0, queue.out()),
                         ND_SUCCESS, "CreateCompletionQueue");
        return queue;
    }

    ComPtr<IND2MemoryRegion> memory_region() {
        ComPtr<IND2MemoryRegion> region;
        support::require(adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, region.out()), ND_SUCCESS,
                         "CreateMemoryRegion");
        return region;
    }

    ComPtr<IND2QueuePair> queue_pair(IND2CompletionQueue* queue) {
        ComPtr<IND2QueuePair> pair;
        support::require(adapter_->CreateQueuePair(IID_IND2QueuePair, queue, queue, nullptr, 8, 8, 4, 4, 0, pair.out()),
                         ND_SUCCESS, "CreateQueuePair");
        return pair;
    }

    ComPtr<IND2Connector> connector() {
        ComPtr<IND2Connector> object;
        support::require(adapter_->CreateConnector(IID_IND2Connector, file_, object.out()), ND_SUCCESS,
                         "CreateConnector");
        return object;
    }

    ComPtr<IND2Listener> listener() {
        ComPtr<IND2Listener> object;
        support::require(adapter_->CreateListener(IID_IND2Listener, file_, object.out()), ND_SUCCESS, "CreateListener");
        return object;
    }

    support::Startup startup_;
    ComPtr<IND2Adapter> adapter_ = support::open_loopback_adapter();
    HANDLE file_ = nullptr;
    ND2_ADAPTER_INFO info_{};
};

}  // namespace opennd::conformance::nd2
