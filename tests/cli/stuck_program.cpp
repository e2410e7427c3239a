// SPDX-License-Identifier: MIT
//
// A program that stands as programs do: a message waits at a queue pair, and nobody posts a receive. With the argument "token" a Write
// names memory by a token that does not exist; with "unanswered" one request for a connection is taken and not answered, and a second one is
// not taken. Prints "stuck" and waits for the end of its standard input.
#include <ndsupport.h>
#include <opennd.h>

#include <cstdio>
#include <string_view>
#include <vector>

#include "support/adapter.h"
#include "support/overlapped_request.h"
#include "support/status.h"

namespace opennd {
namespace {

using support::as_sockaddr;
using support::ComPtr;
using support::finish;
using support::OverlappedRequest;
using support::require;

constexpr std::size_t kMessageBytes = 24, kRegionBytes = 8192;

class Program {
public:
    Program() {
        require(adapter_->CreateOverlappedFile(&file_), ND_SUCCESS, "CreateOverlappedFile");
        for (auto* queue : {&senders_, &receivers_})
            require(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, 16, 0, 0, queue->out()), ND_SUCCESS,
                    "CreateCompletionQueue");
        require(adapter_->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, file_, 5, 1, 2, 0, 0, shared_.out()),
                ND_SUCCESS, "CreateSharedReceiveQueue");
        require(adapter_->CreateQueuePair(IID_IND2QueuePair, senders_.get(), senders_.get(), nullptr, 3, 7, 1, 1, 0,
                                          sender_.out()),
                ND_SUCCESS, "CreateQueuePair");
        require(adapter_->CreateQueuePairWithSrq(IID_IND2QueuePair, receivers_.get(), receivers_.get(), shared_.get(),
                                                 nullptr, 4, 1, 0, receiver_.out()),
                ND_SUCCESS, "CreateQueuePairWithSrq");
        require(adapter_->CreateMemoryWindow(IID_IND2MemoryWindow, window_.out()), ND_SUCCESS, "CreateMemoryWindow");
        register_memory();
        connect();
    }

    void send() {
        const ND2_SGE piece{memory_.data(), kMessageBytes, region_->GetLocalToken()};
        require(sender_->Send(nullptr, &piece, 1, 0), ND_SUCCESS, "Send");
        ND2_RESULT result;
        require(receivers_->GetResults(&result, 1) == 0 ? ND_SUCCESS : ND_INTERNAL_ERROR, ND_SUCCESS, "GetResults");
    }

    void write_with_wrong_token() {
        const ND2_SGE piece{memory_.data(), kMessageBytes, region_->GetLocalToken()};
        require(sender_->Write(nullptr, &piece, 1, 0x1000, 0x12345678, 0), ND_SUCCESS, "Write");
        ND2_RESULT result{};
        OverlappedRequest request;
        require(finish(senders_->Notify(ND_CQ_NOTIFY_ANY, request.get()), request, senders_.get()), ND_SUCCESS,
                "Notify");
        require(senders_->GetResults(&result, 1) == 1 ? result.Status : ND_PENDING, ND_ACCESS_VIOLATION, "the Write");
    }

    void leave_unanswered() {
        require(adapter_->CreateConnector(IID_IND2Connector, file_, unanswering_.out()), ND_SUCCESS, "CreateConnector");
        require(listener_->GetConnectionRequest(unanswering_.get(), taking_.get()), ND_PENDING, "GetConnectionRequest");
        ask(askers_[0]);
        require(taking_.wait(listener_.get()), ND_SUCCESS, "GetConnectionRequest");
        ask(askers_[1]);
    }

private:
    struct Asker {
        ComPtr<IND2QueuePair> queue_pair;
        ComPtr<IND2Connector> connector;
        OverlappedRequest connecting;
    };
    void ask(Asker& asker) {
        require(adapter_->CreateQueuePair(IID_IND2QueuePair, senders_.get(), senders_.get(), nullptr, 1, 1, 1, 1, 0,
                                          asker.queue_pair.out()),
                ND_SUCCESS, "CreateQueuePair");
        require(adapter_->CreateConnector(IID_IND2Connector, file_, asker.connector.out()), ND_SUCCESS,
                "CreateConnector");
        const SocketAddress local = support::loopback_address(), remote = listening_address();
        require(asker.connector->Bind(as_sockaddr(local), sizeof local), ND_SUCCESS, "Bind");
        require(asker.connector->Connect(asker.queue_pair.get(), as_sockaddr(remote), sizeof remote, 1, 1, nullptr, 0,
                                         asker.connecting.get()),
                ND_PENDING, "Connect");
    }

    SocketAddress listening_address() {
        SocketAddress address = support::loopback_address();
        ULONG bytes = sizeof address;
        require(listener_->GetLocalAddress(as_sockaddr(address), &bytes), ND_SUCCESS, "GetLocalAddress");
        return address;
    }

    void register_memory() {
        require(adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, region_.out()), ND_SUCCESS,
                "CreateMemoryRegion");
        OverlappedRequest request;
        const ULONG rights = ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ;
        require(
            finish(region_->Register(memory_.data(), memory_.size(), rights, request.get()), request, region_.get()),
            ND_SUCCESS, "Register");
    }

    void connect() {
        require(adapter_->CreateListener(IID_IND2Listener, file_, listener_.out()), ND_SUCCESS, "CreateListener");
        SocketAddress address = support::loopback_address();
        require(listener_->Bind(as_sockaddr(address), sizeof address), ND_SUCCESS, "Bind");
        require(listener_->Listen(1), ND_SUCCESS, "Listen");
        address = listening_address();
        for (auto* connector : {&active_, &passive_})
            require(adapter_->CreateConnector(IID_IND2Connector, file_, connector->out()), ND_SUCCESS,
                    "CreateConnector");
        const SocketAddress local = support::loopback_address();
        require(active_->Bind(as_sockaddr(local), sizeof local), ND_SUCCESS, "Bind");
        OverlappedRequest taking, connecting, accepting, completing;
        HRESULT take = listener_->GetConnectionRequest(passive_.get(), taking.get());
        HRESULT dial =
            active_->Connect(sender_.get(), as_sockaddr(address), sizeof address, 1, 1, nullptr, 0, connecting.get());
        require(finish(take, taking, listener_.get()), ND_SUCCESS, "GetConnectionRequest");
        HRESULT accept = passive_->Accept(receiver_.get(), 1, 1, nullptr, 0, accepting.get());
        require(finish(dial, connecting, active_.get()), ND_SUCCESS, "Connect");
        require(finish(active_->CompleteConnect(completing.get()), completing, active_.get()), ND_SUCCESS,
                "CompleteConnect");
        require(finish(accept, accepting, passive_.get()), ND_SUCCESS, "Accept");
    }

    const support::Startup startup_;
    const ComPtr<IND2Adapter> adapter_ = support::open_loopback_adapter();
    HANDLE file_ = nullptr;
    std::vector<char> memory_ = std::vector<char>(kRegionBytes);
    ComPtr<IND2CompletionQueue> senders_, receivers_;
    ComPtr<IND2SharedReceiveQueue> shared_;
    ComPtr<IND2QueuePair> sender_, receiver_;
    ComPtr<IND2MemoryWindow> window_;
    ComPtr<IND2MemoryRegion> region_;
    ComPtr<IND2Listener> listener_;
    ComPtr<IND2Connector> active_, passive_;
    OverlappedRequest taking_;
    Asker askers_[2];
    ComPtr<IND2Connector> unanswering_;
};

}  // namespace
}  // namespace opennd

int main(int count, char** arguments) try {
    opennd::Program program;
    const std::string_view how = count > 1 ? arguments[1] : "";
    if (how == "token")
        program.write_with_wrong_token();
    else if (how == "unanswered")
        program.leave_unanswered();
    else
        program.send();
    std::puts("stuck");
    std::fflush(stdout);
    while (std::getchar() != EOF) {
    }
    return 0;
} catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
}
