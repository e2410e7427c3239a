// SPDX-License-Identifier: MIT
//
// Read queue.h first. Version 1 does not end receives when the peer leaves, so this waits at a completion port for either.
#include "queue.h"

#include <endian.h>

namespace smb_direct {
namespace {

constexpr SIZE_T kReads = 16;  // in progress at a time

// An overlapped request. A packet at the port has its address.
struct Overlapped : OVERLAPPED {
    bool pending = false;
    void begun(HRESULT status, const char* what) {
        need(status, what);
        pending = true;
    }
};

// A descriptor is big-endian; SMB Direct has numbers. Without a length it names a window as well.
ND_MW_DESCRIPTOR to_nd1(const BufferDescriptor& descriptor) {
    return {htobe64(descriptor.offset), htobe64(descriptor.length), htobe32(descriptor.token)};
}

class Nd1Queue final : public Queue {
public:
    Nd1Queue(const sockaddr_in& local, const Depths& depths) : Queue(depths.memory) {
        need(NdOpenV1Adapter(generic(local), sizeof local, adapter_.typed_out()), "NdOpenV1Adapter");
        need(opennd_port_create(&port_), "opennd_port_create");
        need(opennd_port_associate(port_, adapter_->GetFileHandle(), 0), "opennd_port_associate");
        finish(adapter_->RegisterMemory(memory_.data(), memory_.size(), &request_, &region_), "RegisterMemory");
        need(adapter_->CreateMemoryWindow(&taken_, window_.typed_out()), "CreateMemoryWindow");
        need(adapter_->CreateCompletionQueue(depths.receives + depths.requests, results_.typed_out()),
             "CreateCompletionQueue");
        need(adapter_->CreateConnector(connector_.typed_out()), "CreateConnector");
        need(connector_->CreateEndpoint(results_.get(), results_.get(), depths.receives, depths.requests, 1, 1, kReads,
                                        kReads, nullptr, endpoint_.typed_out()),
             "CreateEndpoint");
    }
    ~Nd1Queue() override { opennd_handle_close(port_); }

    void accept(const std::function<void(unsigned short)>& tell) override {
        Object<INDListen> listen;
        USHORT port = 0;
        need(adapter_->Listen(1, 0, 0, &port, listen.typed_out()), "Listen");
        tell(ntohs(port));
        finish(listen->GetConnectionRequest(connector_.get(), &request_), "GetConnectionRequest");
        finish(connector_->Accept(endpoint_.get(), nullptr, 0, &request_), "Accept");
        end_.begun(connector_->NotifyDisconnect(&end_), "NotifyDisconnect");
    }

    void connect(const sockaddr_in& server) override {
        finish(connector_->Connect(endpoint_.get(), generic(server), sizeof server, 0, 0, nullptr, 0, &request_),
               "Connect");
        finish(connector_->CompleteConnect(&request_), "CompleteConnect");
        end_.begun(connector_->NotifyDisconnect(&end_), "NotifyDisconnect");
    }

    void disconnect() override { finish(connector_->Disconnect(&request_), "Disconnect"); }

    void receive(Request& request, SIZE_T at, SIZE_T bytes) override {
        const ND_SGE part = part_of(at, bytes);
        need(endpoint_->Receive(&request.result, &part, 1), "Receive");
    }
    void send(Request& request, SIZE_T at, SIZE_T bytes) override {
        const ND_SGE part = part_of(at, bytes);
        need(endpoint_->Send(&request.result, &part, 1, 0), "Send");
    }
    bool send_and_invalidate(Request& request, SIZE_T at, SIZE_T bytes, UINT32 token) override {
        const ND_SGE part = part_of(at, bytes);
        const ND_MW_DESCRIPTOR window = to_nd1({0, token, 0});
        need(endpoint_->SendAndInvalidate(&request.result, &part, 1, &window, 0), "SendAndInvalidate");
        return true;
    }
    void write(Request& request, SIZE_T at, const BufferDescriptor& to) override {
        const ND_SGE part = part_of(at, to.length);
        const ND_MW_DESCRIPTOR window = to_nd1(to);
        need(endpoint_->Write(&request.result, &part, 1, &window, 0, 0), "Write");
    }
    void read(Request& request, SIZE_T at, const BufferDescriptor& from) override {
        const ND_SGE part = part_of(at, from.length);
        const ND_MW_DESCRIPTOR window = to_nd1(from);
        need(endpoint_->Read(&request.result, &part, 1, &window, 0, 0), "Read");
    }

    BufferDescriptor bind(Request& request, SIZE_T at, SIZE_T bytes, Access access) override {
        const DWORD right = access == Access::peer_reads ? ND_OP_FLAG_ALLOW_READ : ND_OP_FLAG_ALLOW_WRITE;
        ND_MW_DESCRIPTOR window{};
        was_taken_ = false;
        need(endpoint_->Bind(&request.result, region_, window_.get(), memory_.data() + at, bytes,
                             right | ND_OP_FLAG_SILENT_SUCCESS, &window),
             "Bind");
        return {be64toh(window.Base), be32toh(window.Token), static_cast<UINT32>(bytes)};
    }
    bool unbind(Request& request, bool) override {
        if (was_taken_) return false;
        need(endpoint_->Invalidate(&request.result, window_.get(), 0), "Invalidate");
        return true;
    }

    // The word that the peer has taken the window back comes just before the receive of the same message.
    std::optional<Done> next_result() override {
        ND_RESULT* result = nullptr;
        while (results_->GetResults(&result, 1) != 0) {
            if (result != &taken_)
                return Done{reinterpret_cast<Request*>(result), result->Status, result->BytesTransferred};
            was_taken_ = true;
        }
        return {};
    }
    bool wait() override {
        if (!end_.pending) return false;
        if (!notice_.pending) notice_.begun(results_->Notify(ND_CQ_NOTIFY_ANY, &notice_), "Notify");
        take_packet();
        return true;
    }

private:
    // Takes the next packet from the port: one of the overlapped requests has ended.
    void take_packet() {
        opennd_packet packet{};
        ULONG count = 0;
        need(opennd_port_wait(port_, &packet, 1, OPENND_FOREVER, &count), "opennd_port_wait");
        static_cast<Overlapped*>(packet.overlapped)->pending = false;
    }
    // Waits for the end of an overlapped request.
    void finish(HRESULT status, const char* what) {
        request_.begun(status, what);
        while (request_.pending) take_packet();
        need(static_cast<HRESULT>(request_.Internal), what);
    }
    ND_SGE part_of(SIZE_T at, SIZE_T bytes) { return {memory_.data() + at, bytes, region_}; }

    Overlapped request_{}, notice_{}, end_{};  // notice_: of the completion queue; end_: of the connection
    ND_RESULT taken_{};                        // the peer has invalidated the window
    bool was_taken_ = false;
    HANDLE port_ = nullptr;
    Object<INDAdapter> adapter_;
    ND_MR_HANDLE region_ = nullptr;  // goes with the adapter
    Object<INDMemoryWindow> window_;
    Object<INDCompletionQueue> results_;
    Object<INDConnector> connector_;
    Object<INDEndpoint> endpoint_;
};

}  // namespace

std::unique_ptr<Queue> make_nd1_queue(const sockaddr_in& local, const Depths& depths) {
    return std::make_unique<Nd1Queue>(local, depths);
}

}  // namespace smb_direct
