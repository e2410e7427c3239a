// SPDX-License-Identifier: MIT
//
// Two connected queue pairs in one process, made the way a program makes them: the shortest complete use of the interface.
// Errors of the preparation are exceptions.
#pragma once

#include "object.h"

namespace example {

// An overlapped request that is waited for without an event.
class Request {
public:
    OVERLAPPED* get() { return &overlapped_; }
    template <typename T>
    HRESULT finish(const Object<T>& object, HRESULT status) {
        return status == ND_PENDING ? object->GetOverlappedResult(&overlapped_, TRUE) : status;
    }

private:
    OVERLAPPED overlapped_{};
};

class Adapter {
public:
    explicit Adapter(const sockaddr_in& address = loopback()) : address_(address) {
        need(NdStartup(), "NdStartup");
        need(NdOpenAdapter(IID_IND2Adapter, generic(address), sizeof address, adapter_.out()), "NdOpenAdapter");
        need(adapter_->CreateOverlappedFile(&file_), "CreateOverlappedFile");
    }
    ~Adapter() {
        adapter_ = {};
        opennd_handle_close(file_);
        NdCleanup();
    }
    IND2Adapter* operator->() const { return adapter_.get(); }
    HANDLE file() const { return file_; }
    const sockaddr_in& address() const { return address_; }

private:
    const sockaddr_in address_;
    Object<IND2Adapter> adapter_;
    HANDLE file_ = nullptr;
};

// Memory that is registered while it lives.
class Memory {
public:
    Memory(const Adapter& adapter, std::size_t bytes, ULONG rights) : start_(std::calloc(bytes, 1)) {
        need(adapter->CreateMemoryRegion(IID_IND2MemoryRegion, adapter.file(), region_.out()), "CreateMemoryRegion");
        need(request_.finish(region_, region_->Register(start_, bytes, rights, request_.get())), "Register");
    }
    ~Memory() {
        (void)request_.finish(region_, region_->Deregister(request_.get()));
        std::free(start_);
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    ND2_SGE part(ULONG bytes) { return {start_, bytes, region_->GetLocalToken()}; }
    UINT64 address() const { return reinterpret_cast<UINT64>(start_); }
    UINT32 token() const { return region_->GetRemoteToken(); }

private:
    void* const start_;
    Request request_;
    Object<IND2MemoryRegion> region_;
};

struct End {
    Object<IND2CompletionQueue> results;
    Object<IND2QueuePair> queue_pair;
    Object<IND2Connector> connector;

    explicit End(const Adapter& adapter) {
        constexpr ULONG kDepth = 8;
        need(adapter->CreateCompletionQueue(IID_IND2CompletionQueue, adapter.file(), 2 * kDepth, 0, 0, results.out()),
             "CreateCompletionQueue");
        need(adapter->CreateQueuePair(IID_IND2QueuePair, results.get(), results.get(), nullptr, kDepth, kDepth, 1, 1,
                                      64, queue_pair.out()),
             "CreateQueuePair");
        need(adapter->CreateConnector(IID_IND2Connector, adapter.file(), connector.out()), "CreateConnector");
    }
    ND2_RESULT wait() {
        ND2_RESULT result;
        while (results->GetResults(&result, 1) == 0) {
        }
        return result;
    }
};

class ConnectedPair {
public:
    explicit ConnectedPair(const Adapter& adapter, ULONG reads = 4) : active(adapter), passive(adapter) {
        Object<IND2Listener> listener;
        need(adapter->CreateListener(IID_IND2Listener, adapter.file(), listener.out()), "CreateListener");
        sockaddr_in address = adapter.address();
        need(listener->Bind(generic(address), sizeof address), "Bind");
        need(listener->Listen(0), "Listen");
        ULONG bytes = sizeof address;
        need(listener->GetLocalAddress(reinterpret_cast<sockaddr*>(&address), &bytes), "GetLocalAddress");

        Request asking, connecting, accepting;
        const HRESULT asked = listener->GetConnectionRequest(passive.connector.get(), asking.get());
        need(active.connector->Bind(generic(adapter.address()), sizeof address), "Bind");
        const HRESULT connected = active.connector->Connect(active.queue_pair.get(), generic(address), sizeof address,
                                                            reads, reads, nullptr, 0, connecting.get());
        need(asking.finish(listener, asked), "GetConnectionRequest");
        const HRESULT accepted =
            passive.connector->Accept(passive.queue_pair.get(), reads, reads, nullptr, 0, accepting.get());
        need(connecting.finish(active.connector, connected), "Connect");
        need(connecting.finish(active.connector, active.connector->CompleteConnect(connecting.get())),
             "CompleteConnect");
        need(accepting.finish(passive.connector, accepted), "Accept");
    }

    End active, passive;
};

}  // namespace example
