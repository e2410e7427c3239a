// SPDX-License-Identifier: MIT
//
// Two connected queue pairs of NDK in one process: what examples/connected_pair.h does, as kernel code calls it. Errors of
// the preparation end the program. Objects are closed without being waited for: closing the adapter waits.
#pragma once

#include "../examples/object.h"

#include <opennd_ndk.h>

#include <condition_variable>
#include <mutex>

namespace ndk {

using example::need;

// A call that may pend, and its callback.
class Request {
public:
    static VOID completed(PVOID request, NTSTATUS status) { static_cast<Request*>(request)->finish(status); }

    NTSTATUS end(NTSTATUS returned) {
        std::unique_lock lock(mutex_);
        if (returned != STATUS_PENDING) return returned;
        changed_.wait(lock, [this] { return finished_; });
        return status_;
    }

private:
    void finish(NTSTATUS status) {
        const std::lock_guard lock(mutex_);
        status_ = status;
        finished_ = true;
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    NTSTATUS status_ = STATUS_PENDING;
    bool finished_ = false;
};

class Adapter {
public:
    explicit Adapter(const sockaddr_in& address = example::loopback()) : address_(address) {
        need(opennd_ndk_open_adapter_by_address({2, 1}, example::generic(address), sizeof address, 0, &adapter_),
             "opennd_ndk_open_adapter_by_address");
        need(call().NdkCreatePd(adapter_, nullptr, nullptr, &domain_), "NdkCreatePd");
    }
    ~Adapter() {
        (void)domain_->Dispatch->NdkClosePd(&domain_->Header, nullptr, nullptr);
        opennd_ndk_close_adapter(adapter_);
    }
    Adapter(const Adapter&) = delete;
    Adapter& operator=(const Adapter&) = delete;

    NDK_ADAPTER* get() const { return adapter_; }
    NDK_PD* domain() const { return domain_; }
    const sockaddr_in& address() const { return address_; }
    const NDK_ADAPTER_DISPATCH& call() const { return *adapter_->Dispatch; }

private:
    const sockaddr_in address_;
    NDK_ADAPTER* adapter_ = nullptr;
    NDK_PD* domain_ = nullptr;
};

// Memory that is registered while it lives, of the kind that a peer on this host reaches without the kernel.
class Memory {
public:
    Memory(const Adapter& adapter, std::size_t bytes) {
        constexpr ULONG kRights =
            NDK_MR_FLAG_ALLOW_LOCAL_WRITE | NDK_MR_FLAG_ALLOW_REMOTE_READ | NDK_MR_FLAG_ALLOW_REMOTE_WRITE;
        need(opennd_memory_allocate(bytes, &start_), "opennd_memory_allocate");
        MDL mdl = {};  // without page numbers: those of the addresses
        mdl.Size = sizeof mdl;
        mdl.StartVa = start_;
        mdl.ByteCount = static_cast<ULONG>(bytes);
        NDK_PD* const domain = adapter.domain();
        need(domain->Dispatch->NdkCreateMr(domain, FALSE, nullptr, nullptr, &region_), "NdkCreateMr");
        Request registering;
        need(registering.end(
                 region_->Dispatch->NdkRegisterMr(region_, &mdl, bytes, kRights, Request::completed, &registering)),
             "NdkRegisterMr");
    }
    ~Memory() {
        Request ending;
        (void)ending.end(region_->Dispatch->NdkDeregisterMr(region_, Request::completed, &ending));
        (void)region_->Dispatch->NdkCloseMr(&region_->Header, nullptr, nullptr);
        opennd_memory_free(start_);
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    void* start() const { return start_; }
    UINT64 address() const { return reinterpret_cast<UINT64>(start_); }
    UINT32 token() const { return region_->Dispatch->NdkGetRemoteTokenFromMr(region_); }
    NDK_SGE part(ULONG bytes) const {
        NDK_SGE entry = {};
        entry.VirtualAddress = start_;
        entry.Length = bytes;
        entry.MemoryRegionToken = region_->Dispatch->NdkGetLocalTokenFromMr(region_);
        return entry;
    }

private:
    void* start_ = nullptr;
    NDK_MR* region_ = nullptr;
};

struct End {
    End(const Adapter& adapter, ULONG depth) {
        need(
            adapter.call().NdkCreateCq(adapter.get(), 2 * depth, nullptr, nullptr, nullptr, nullptr, nullptr, &results),
            "NdkCreateCq");
        need(adapter.domain()->Dispatch->NdkCreateQp(adapter.domain(), results, results, nullptr, depth, depth, 1, 1,
                                                     64, nullptr, nullptr, &queue_pair),
             "NdkCreateQp");
    }
    ~End() {
        (void)connector->Dispatch->NdkCloseConnector(&connector->Header, nullptr, nullptr);
        (void)queue_pair->Dispatch->NdkCloseQp(&queue_pair->Header, nullptr, nullptr);
        (void)results->Dispatch->NdkCloseCq(&results->Header, nullptr, nullptr);
    }
    End(const End&) = delete;
    End& operator=(const End&) = delete;

    NDK_CQ* results = nullptr;
    NDK_QP* queue_pair = nullptr;
    NDK_CONNECTOR* connector = nullptr;
};

class ConnectedNdk {
public:
    explicit ConnectedNdk(const Adapter& adapter, ULONG reads = 4, ULONG depth = 8)
        : active(adapter, depth), passive(adapter, depth) {
        NDK_LISTENER* listener = nullptr;
        need(adapter.call().NdkCreateListener(adapter.get(), arrived, this, nullptr, nullptr, &listener),
             "NdkCreateListener");
        sockaddr_in here = adapter.address(), there = here;
        ULONG bytes = sizeof there;
        Request listening, connecting, accepting, completing;
        need(listening.end(
                 listener->Dispatch->NdkListen(listener, generic(here), sizeof here, Request::completed, &listening)),
             "NdkListen");
        need(listener->Dispatch->NdkGetLocalAddress(listener, generic(there), &bytes), "NdkGetLocalAddress");
        need(adapter.call().NdkCreateConnector(adapter.get(), nullptr, nullptr, &active.connector),
             "NdkCreateConnector");
        const NTSTATUS connected = active.connector->Dispatch->NdkConnect(
            active.connector, active.queue_pair, generic(here), sizeof here, generic(there), sizeof there, reads, reads,
            nullptr, 0, Request::completed, &connecting);
        need(arriving_.end(STATUS_PENDING), "the connect event");
        const NTSTATUS accepted =
            passive.connector->Dispatch->NdkAccept(passive.connector, passive.queue_pair, reads, reads, nullptr, 0,
                                                   nullptr, nullptr, Request::completed, &accepting);
        need(connecting.end(connected), "NdkConnect");
        need(completing.end(active.connector->Dispatch->NdkCompleteConnect(active.connector, nullptr, nullptr,
                                                                           Request::completed, &completing)),
             "NdkCompleteConnect");
        need(accepting.end(accepted), "NdkAccept");
        (void)listener->Dispatch->NdkCloseListener(&listener->Header, nullptr, nullptr);
    }

    End active, passive;

private:
    static SOCKADDR* generic(sockaddr_in& address) { return reinterpret_cast<SOCKADDR*>(&address); }
    static VOID arrived(PVOID context, NDK_CONNECTOR* connector) {
        auto& pair = *static_cast<ConnectedNdk*>(context);
        pair.passive.connector = connector;
        Request::completed(&pair.arriving_, STATUS_SUCCESS);
    }

    Request arriving_;
};

}  // namespace ndk
