// SPDX-License-Identifier: MIT
//
// Read queue.h first.
#include "queue.h"

#include <endian.h>

namespace smb_direct {
namespace {

constexpr ULONG kReads = 16;  // in progress at a time

class Nd2Queue final : public Queue {
public:
    Nd2Queue(const sockaddr_in& local, const Depths& depths) : Queue(depths.memory), local_(local) {
        need(NdOpenAdapter(IID_IND2Adapter, generic(local_), sizeof local_, adapter_.out()), "NdOpenAdapter");
        need(adapter_->CreateOverlappedFile(&file_), "CreateOverlappedFile");
        need(adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, region_.out()), "CreateMemoryRegion");
        finish(region_,
               region_->Register(memory_.data(), memory_.size(),
                                 ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_RDMA_READ_SINK, &request_),
               "Register");
        need(adapter_->CreateMemoryWindow(IID_IND2MemoryWindow, window_.out()), "CreateMemoryWindow");
        need(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, depths.receives + depths.requests, 0, 0,
                                             results_.out()),
             "CreateCompletionQueue");
        need(adapter_->CreateQueuePair(IID_IND2QueuePair, results_.get(), results_.get(), nullptr, depths.receives,
                                       depths.requests, 1, 1, 0, queue_pair_.out()),
             "CreateQueuePair");
        need(adapter_->CreateConnector(IID_IND2Connector, file_, connector_.out()), "CreateConnector");
    }
    ~Nd2Queue() override { opennd_handle_close(file_); }

    void accept(const std::function<void(unsigned short)>& tell) override {
        Object<IND2Listener> listener;
        sockaddr_in address = local_;
        ULONG address_bytes = sizeof address;
        need(adapter_->CreateListener(IID_IND2Listener, file_, listener.out()), "CreateListener");
        need(listener->Bind(generic(local_), sizeof local_), "Bind");
        need(listener->Listen(1), "Listen");
        need(listener->GetLocalAddress(generic(address), &address_bytes), "GetLocalAddress");
        tell(ntohs(address.sin_port));
        finish(listener, listener->GetConnectionRequest(connector_.get(), &request_), "GetConnectionRequest");
        finish(connector_, connector_->Accept(queue_pair_.get(), 0, kReads, nullptr, 0, &request_), "Accept");
    }

    void connect(const sockaddr_in& server) override {
        need(connector_->Bind(generic(local_), sizeof local_), "Bind");
        finish(connector_,
               connector_->Connect(queue_pair_.get(), generic(server), sizeof server, kReads, 0, nullptr, 0, &request_),
               "Connect");
        finish(connector_, connector_->CompleteConnect(&request_), "CompleteConnect");
    }

    void disconnect() override { finish(connector_, connector_->Disconnect(&request_), "Disconnect"); }

    void receive(Request& request, SIZE_T at, SIZE_T bytes) override {
        const ND2_SGE part = part_of(at, bytes);
        need(queue_pair_->Receive(&request, &part, 1), "Receive");
    }
    void send(Request& request, SIZE_T at, SIZE_T bytes) override {
        const ND2_SGE part = part_of(at, bytes);
        need(queue_pair_->Send(&request, &part, 1, 0), "Send");
    }
    bool send_and_invalidate(Request&, SIZE_T, SIZE_T, UINT32) override { return false; }
    void write(Request& request, SIZE_T at, const BufferDescriptor& to) override {
        const ND2_SGE part = part_of(at, to.length);
        need(queue_pair_->Write(&request, &part, 1, to.offset, htobe32(to.token), 0), "Write");
    }
    void read(Request& request, SIZE_T at, const BufferDescriptor& from) override {
        const ND2_SGE part = part_of(at, from.length);
        need(queue_pair_->Read(&request, &part, 1, from.offset, htobe32(from.token), 0), "Read");
    }

    BufferDescriptor bind(Request& request, SIZE_T at, SIZE_T bytes, Access access) override {
        const std::byte* const start = memory_.data() + at;
        const ULONG right = access == Access::peer_reads ? ND_OP_FLAG_ALLOW_READ : ND_OP_FLAG_ALLOW_WRITE;
        need(queue_pair_->Bind(&request, region_.get(), window_.get(), start, bytes, right | ND_OP_FLAG_SILENT_SUCCESS),
             "Bind");
        // Network Direct has tokens in the order of the network, SMB Direct as numbers.
        return {reinterpret_cast<UINT64>(start), be32toh(window_->GetRemoteToken()), static_cast<UINT32>(bytes)};
    }
    // Version 2 does not say whether the peer has taken the window back, and Invalidate would fail then. The last Release
    // ends a window in any state.
    bool unbind(Request& request, bool asked) override {
        if (asked) {
            window_ = {};
            need(adapter_->CreateMemoryWindow(IID_IND2MemoryWindow, window_.out()), "CreateMemoryWindow");
        } else {
            need(queue_pair_->Invalidate(&request, window_.get(), 0), "Invalidate");
        }
        return !asked;
    }

    std::optional<Done> next_result() override {
        ND2_RESULT result;
        if (results_->GetResults(&result, 1) == 0) return {};
        return Done{static_cast<Request*>(result.RequestContext), result.Status, result.BytesTransferred};
    }
    // The receives that are posted end when the peer leaves, so there is a result in any case.
    bool wait() override {
        finish(results_, results_->Notify(ND_CQ_NOTIFY_ANY, &request_), "Notify");
        return true;
    }

private:
    // Waits for the end of an overlapped request.
    template <typename T>
    void finish(const Object<T>& object, HRESULT status, const char* what) {
        need(status == ND_PENDING ? object->GetOverlappedResult(&request_, TRUE) : status, what);
    }
    ND2_SGE part_of(SIZE_T at, SIZE_T bytes) {
        return {memory_.data() + at, static_cast<ULONG>(bytes), region_->GetLocalToken()};
    }

    const sockaddr_in local_;
    OVERLAPPED request_{};  // for one at a time: each is finished before the next begins
    HANDLE file_ = nullptr;
    Object<IND2Adapter> adapter_;
    Object<IND2MemoryRegion> region_;
    Object<IND2MemoryWindow> window_;
    Object<IND2CompletionQueue> results_;
    Object<IND2QueuePair> queue_pair_;
    Object<IND2Connector> connector_;
};

}  // namespace

std::unique_ptr<Queue> make_nd2_queue(const sockaddr_in& local, const Depths& depths) {
    return std::make_unique<Nd2Queue>(local, depths);
}

}  // namespace smb_direct
