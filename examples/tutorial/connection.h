// SPDX-License-Identifier: MIT
//
// The objects of one side of a connection of version 2, in the order in which they are made, for message_v2.cpp,
// send_file.cpp and look_up.cpp. docs/tutorial/version_2.md goes through it line by line.
#pragma once

#include "roles.h"

#include <vector>

namespace tutorial {

class Adapter {
public:
    explicit Adapter(const sockaddr_in& local) : address(local) {
        need(NdOpenAdapter(IID_IND2Adapter, generic(address), sizeof address, adapter_.out()), "NdOpenAdapter");
        need(adapter_->CreateOverlappedFile(&file), "CreateOverlappedFile");
    }
    ~Adapter() { opennd_handle_close(file); }
    IND2Adapter* operator->() const { return adapter_.get(); }

    // Waits for the end of the overlapped request that a method of this object has begun.
    template <typename T>
    void finish(const Object<T>& object, HRESULT status, const char* what) {
        need(status == ND_PENDING ? object->GetOverlappedResult(&request, TRUE) : status, what);
    }

    const sockaddr_in address;
    OVERLAPPED request{};  // for one at a time: each is finished before the next begins
    HANDLE file = nullptr;

private:
    Object<IND2Adapter> adapter_;
};

// Memory that is registered as long as it lives.
class Memory {
public:
    Memory(Adapter& adapter, SIZE_T bytes, ULONG rights) : bytes_(bytes) {
        need(adapter->CreateMemoryRegion(IID_IND2MemoryRegion, adapter.file, region_.out()), "CreateMemoryRegion");
        adapter.finish(region_, region_->Register(bytes_.data(), bytes, rights, &adapter.request), "Register");
    }
    char* start() { return bytes_.data(); }
    ND2_SGE part(SIZE_T offset, SIZE_T bytes) {
        return {start() + offset, static_cast<ULONG>(bytes), region_->GetLocalToken()};
    }
    UINT64 address() { return reinterpret_cast<UINT64>(start()); }
    UINT32 token() { return region_->GetRemoteToken(); }

private:
    std::vector<char> bytes_;  // the region, below, goes first
    Object<IND2MemoryRegion> region_;
};

class Connection {
public:
    Connection(Adapter& of, ULONG receives, ULONG requests) : adapter(of) {
        need(adapter->CreateCompletionQueue(IID_IND2CompletionQueue, adapter.file, receives, 0, 0, received.out()),
             "CreateCompletionQueue");
        need(adapter->CreateCompletionQueue(IID_IND2CompletionQueue, adapter.file, requests, 0, 0, sent.out()),
             "CreateCompletionQueue");
        need(adapter->CreateQueuePair(IID_IND2QueuePair, received.get(), sent.get(), nullptr, receives, requests, 1, 1,
                                      0, queue_pair.out()),
             "CreateQueuePair");
        need(adapter->CreateConnector(IID_IND2Connector, adapter.file, connector.out()), "CreateConnector");
    }

    // The server's way: listens at a free port, prints it, and accepts one client, which gets the private data. The client
    // may have so many Reads in progress.
    void accept(const void* private_data, ULONG bytes, ULONG reads = 0) {
        Object<IND2Listener> listener;
        sockaddr_in address = adapter.address;
        ULONG address_bytes = sizeof address;
        need(adapter->CreateListener(IID_IND2Listener, adapter.file, listener.out()), "CreateListener");
        need(listener->Bind(generic(adapter.address), sizeof address), "Bind");
        need(listener->Listen(1), "Listen");
        need(listener->GetLocalAddress(generic(address), &address_bytes), "GetLocalAddress");
        tell_port(address.sin_port);
        adapter.finish(listener, listener->GetConnectionRequest(connector.get(), &adapter.request),
                       "GetConnectionRequest");
        adapter.finish(connector, connector->Accept(queue_pair.get(), reads, 0, private_data, bytes, &adapter.request),
                       "Accept");
    }

    // The client's way: connects, and gets the server's private data, which have to be as long as expected. This side has
    // at most so many Reads in progress.
    void connect(const sockaddr_in& server, void* private_data, ULONG bytes, ULONG reads = 0) {
        need(connector->Bind(generic(adapter.address), sizeof adapter.address), "Bind");
        adapter.finish(connector,
                       connector->Connect(queue_pair.get(), generic(server), sizeof server, 0, reads, nullptr, 0,
                                          &adapter.request),
                       "Connect");
        ULONG received_bytes = bytes;
        need(connector->GetPrivateData(private_data, &received_bytes), "GetPrivateData");
        expect(received_bytes == bytes, "the server is another program");
        adapter.finish(connector, connector->CompleteConnect(&adapter.request), "CompleteConnect");
    }

    // Waits for the next result in a completion queue, asleep.
    ND2_RESULT result(const Object<IND2CompletionQueue>& queue, const char* what) {
        ND2_RESULT result;
        while (queue->GetResults(&result, 1) == 0)
            adapter.finish(queue, queue->Notify(ND_CQ_NOTIFY_ANY, &adapter.request), "Notify");
        need(result.Status, what);
        return result;
    }

    void disconnect() { adapter.finish(connector, connector->Disconnect(&adapter.request), "Disconnect"); }

    Adapter& adapter;
    Object<IND2CompletionQueue> received, sent;
    Object<IND2QueuePair> queue_pair;
    Object<IND2Connector> connector;
};

}  // namespace tutorial
