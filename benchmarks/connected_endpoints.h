// SPDX-License-Identifier: MIT
//
// Two connected endpoints of version 1 in one process: examples/connected_pair.h in the older interface. Errors of the
// preparation end the program.
#pragma once

#include "../examples/object.h"

namespace example::v1 {

// An overlapped request that is waited for without an event.
class Request {
public:
    OVERLAPPED* get() { return &overlapped_; }
    HRESULT finish(INDOverlapped* object, HRESULT status) {
        SIZE_T bytes = 0;
        return status == ND_PENDING ? object->GetOverlappedResult(&overlapped_, &bytes, TRUE) : status;
    }

private:
    OVERLAPPED overlapped_{};
};

class Adapter {
public:
    explicit Adapter(const sockaddr_in& address = loopback()) : address_(address) {
        need(NdStartup(), "NdStartup");
        need(NdOpenV1Adapter(generic(address), sizeof address, adapter_.place()), "NdOpenV1Adapter");
    }
    ~Adapter() {
        adapter_ = {};
        NdCleanup();
    }
    INDAdapter* operator->() const { return adapter_.get(); }
    INDAdapter* get() const { return adapter_.get(); }
    const sockaddr_in& address() const { return address_; }

private:
    const sockaddr_in address_;
    Object<INDAdapter> adapter_;
};

// Memory that is registered while it lives, of the kind that a peer on this host reaches without the kernel.
class Memory {
public:
    Memory(const Adapter& adapter, std::size_t bytes) : adapter_(adapter) {
        need(opennd_memory_allocate(bytes, &start_), "opennd_memory_allocate");
        need(request_.finish(adapter.get(), adapter->RegisterMemory(start_, bytes, request_.get(), &handle_)),
             "RegisterMemory");
    }
    ~Memory() {
        (void)request_.finish(adapter_.get(), adapter_->DeregisterMemory(handle_, request_.get()));
        opennd_memory_free(start_);
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    void* start() const { return start_; }
    ND_MR_HANDLE handle() const { return handle_; }
    ND_SGE part(SIZE_T bytes) const { return {start_, bytes, handle_}; }

private:
    const Adapter& adapter_;
    void* start_ = nullptr;
    ND_MR_HANDLE handle_ = nullptr;
    Request request_;
};

struct End {
    Object<INDCompletionQueue> results;
    Object<INDConnector> connector;
    Object<INDEndpoint> endpoint;

    End(const Adapter& adapter, SIZE_T depth, SIZE_T reads) {
        need(adapter->CreateCompletionQueue(2 * depth, results.place()), "CreateCompletionQueue");
        need(adapter->CreateConnector(connector.place()), "CreateConnector");
        need(connector->CreateEndpoint(results.get(), results.get(), depth, depth, 1, 1, reads, reads, nullptr,
                                       endpoint.place()),
             "CreateEndpoint");
    }
    ND_RESULT* wait() {
        ND_RESULT* result = nullptr;
        while (results->GetResults(&result, 1) == 0) {
        }
        return result;
    }
};

class ConnectedEndpoints {
public:
    explicit ConnectedEndpoints(const Adapter& adapter, SIZE_T depth = 8, SIZE_T reads = 4)
        : active(adapter, depth, reads), passive(adapter, depth, reads) {
        constexpr INT kProtocol = 6;
        constexpr SIZE_T kBacklog = 1;
        Object<INDListen> listener;
        USHORT port = 0;
        need(adapter->Listen(kBacklog, kProtocol, 0, &port, listener.place()), "Listen");
        sockaddr_in address = adapter.address();
        address.sin_port = port;

        Request asking, connecting, completing, accepting;
        const HRESULT asked = listener->GetConnectionRequest(passive.connector.get(), asking.get());
        const HRESULT connected = active.connector->Connect(active.endpoint.get(), generic(address), sizeof address,
                                                            kProtocol, 0, nullptr, 0, connecting.get());
        need(asking.finish(listener.get(), asked), "GetConnectionRequest");
        const HRESULT accepted = passive.connector->Accept(passive.endpoint.get(), nullptr, 0, accepting.get());
        need(connecting.finish(active.connector.get(), connected), "Connect");
        need(completing.finish(active.connector.get(), active.connector->CompleteConnect(completing.get())),
             "CompleteConnect");
        need(accepting.finish(passive.connector.get(), accepted), "Accept");
    }

    End active, passive;
};

// A window on all of `memory`, open to the peer of `end` while it lives.
class Window {
public:
    Window(const Adapter& adapter, End& end, const Memory& memory, SIZE_T bytes) {
        ND_RESULT bound{};
        need(adapter->CreateMemoryWindow(nullptr, window_.place()), "CreateMemoryWindow");
        need(end.endpoint->Bind(&bound, memory.handle(), window_.get(), memory.start(), bytes,
                                ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE, &descriptor_),
             "Bind");
        need(end.wait()->Status, "Bind");
    }
    const ND_MW_DESCRIPTOR* descriptor() const { return &descriptor_; }

private:
    Object<INDMemoryWindow> window_;
    ND_MW_DESCRIPTOR descriptor_{};
};

}  // namespace example::v1
