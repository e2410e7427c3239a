// SPDX-License-Identifier: MIT
//
// The other process of the interop tests: a small program over the public headers. It connects to a port of 127.0.0.1
// (or listens and prints its port), plays its role, and reports each state it reached as a line on standard output.
//
//   interop_peer <role> <port> [mappable]
//
//   exchange       offers memory, lets the test read and write it, checks the written bytes, echoes messages
//   send-loop      sends without end
//   target         offers memory and makes no further call
//   half-connected stops after Connect completed
//   listen-target  as target, but on the passive side
//   lose           offers memory, waits for the end of the connection, and for its receive
//   lose-on-purpose  as lose, and the end is a fault of this process: peer:dies, at a time
//   leave-a-child  as target, with a child of fork that lives as long as the test reads its lines
//   keep-page      offers memory without its pages; reports the first wait for one, and sends a message then
//   keep-and-leave as keep-page, and ends the connection then
#include <arpa/inet.h>
#include <ndsupport.h>
#include <opennd.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "interop/offer.h"
#include "support/absent_pages.h"
#include "support/adapter.h"
#include "support/buffer.h"
#include "support/overlapped_request.h"
#include "support/pattern.h"
#include "support/status.h"

namespace opennd::interop {
namespace {

using support::ComPtr;
using support::OverlappedRequest;
using support::require;

void say(const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

[[noreturn]] void stay() {
    for (;;) pause();
}

// A child of fork that uses nothing of its parent's.
void leave_a_child() {
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child != 0) return;
    say("forked");
    pollfd nobody_reads{STDOUT_FILENO, 0, 0};
    while (poll(&nobody_reads, 1, -1) < 0) continue;
    _exit(0);
}

class Peer {
public:
    explicit Peer(support::MemoryKind kind) : memory_(kMemoryBytes, kind) {
        require(adapter_->CreateOverlappedFile(&file_), ND_SUCCESS, "CreateOverlappedFile");
        require(adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, 64, 0, 0, queue_.out()), ND_SUCCESS,
                "CreateCompletionQueue");
        require(adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, region_.out()), ND_SUCCESS,
                "CreateMemoryRegion");
        require(adapter_->CreateQueuePair(IID_IND2QueuePair, queue_.get(), queue_.get(), nullptr, 16, 16, 4, 4, 0,
                                          queue_pair_.out()),
                ND_SUCCESS, "CreateQueuePair");
        require(adapter_->CreateConnector(IID_IND2Connector, file_, connector_.out()), ND_SUCCESS, "CreateConnector");
        finish(region_->Register(memory_.data(), memory_.size(),
                                 ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE, request_.get()),
               "Register");
    }

    ~Peer() { opennd_handle_close(file_); }

    void reply(std::uint16_t port) {
        const SocketAddress local = support::loopback_address(), peer = support::loopback_address(port);
        require(connector_->Bind(support::as_sockaddr(local), sizeof local), ND_SUCCESS, "Bind");
        finish(connector_->Connect(queue_pair_.get(), support::as_sockaddr(peer), sizeof peer, 16, 16, nullptr, 0,
                                   request_.get()),
               "Connect");
    }

    void connect(std::uint16_t port) {
        reply(port);
        finish(connector_->CompleteConnect(request_.get()), "CompleteConnect");
        say("connected");
    }

    void accept() {
        ComPtr<IND2Listener> listener;
        require(adapter_->CreateListener(IID_IND2Listener, file_, listener.out()), ND_SUCCESS, "CreateListener");
        SocketAddress address = support::loopback_address();
        require(listener->Bind(support::as_sockaddr(address), sizeof address), ND_SUCCESS, "Bind");
        require(listener->Listen(0), ND_SUCCESS, "Listen");
        ULONG size = sizeof address;
        require(listener->GetLocalAddress(support::as_sockaddr(address), &size), ND_SUCCESS, "GetLocalAddress");
        OverlappedRequest request;
        const HRESULT begun = listener->GetConnectionRequest(connector_.get(), request.get());
        say(std::to_string(ntohs(address.ipv4.sin_port)));
        require(support::finish(begun, request, listener.get()), ND_SUCCESS, "GetConnectionRequest");
        finish(connector_->Accept(queue_pair_.get(), 16, 16, nullptr, 0, request_.get()), "Accept");
        say("connected");
    }

    void send(std::size_t offset, std::size_t length) {
        const ND2_SGE sge = piece(offset, length);
        require(queue_pair_->Send(nullptr, &sge, 1, 0), ND_SUCCESS, "Send");
        complete(Nd2RequestTypeSend, "the Send");
    }

    void receive(std::size_t offset, std::size_t length) {
        const ND2_SGE sge = piece(offset, length);
        require(queue_pair_->Receive(nullptr, &sge, 1), ND_SUCCESS, "Receive");
    }

    // Waits, asleep, for the next result of this type. One of the other type that comes before is kept: the two queues
    // of a queue pair have no order (ND2-CQ-GET-04).
    ND2_RESULT complete(ND2_REQUEST_TYPE type, const char* what) {
        for (;;) {
            const auto kept = std::find_if(results_.begin(), results_.end(),
                                           [&](const ND2_RESULT& result) { return result.RequestType == type; });
            if (kept != results_.end()) {
                const ND2_RESULT result = *kept;
                results_.erase(kept);
                require(result.Status, ND_SUCCESS, what);
                return result;
            }
            ND2_RESULT result{};
            if (queue_->GetResults(&result, 1) == 1)
                results_.push_back(result);
            else
                finish(queue_->Notify(ND_CQ_NOTIFY_ANY, request_.get()), "Notify");
        }
    }

    void send_offer() {
        const Offer offer{reinterpret_cast<std::uintptr_t>(memory_.data()), region_->GetRemoteToken()};
        std::memcpy(memory_.data() + kOfferOffset, &offer, sizeof offer);
        send(kOfferOffset, sizeof offer);
    }

    void disconnect() { finish(connector_->Disconnect(request_.get()), "Disconnect"); }

    [[noreturn]] void keep_pages(bool leaves) {
        const support::AbsentPages pages(memory_.bytes(0, kSharedBytes));
        send_offer();
        if (!pages.are_waited_for()) throw std::runtime_error("nobody touched the memory");
        send(kMessageOffset, sizeof(Offer));
        say("kept");
        if (leaves) {
            disconnect();
            say("left");
        }
        stay();
    }

    // The connection is lost while this process waits; it has all results that there are then.
    void lose(bool on_purpose) {
        receive(kMessageOffset, kMessageBytes);
        send_offer();
        if (on_purpose) require(opennd_faults_set("peer:dies after=20ms times=1"), ND_SUCCESS, "opennd_faults_set");
        finish(connector_->NotifyDisconnect(request_.get()), "NotifyDisconnect");
        say("lost");
        ND2_RESULT result{};
        while (queue_->GetResults(&result, 1) == 0) finish(queue_->Notify(ND_CQ_NOTIFY_ANY, request_.get()), "Notify");
        if (result.RequestType != Nd2RequestTypeReceive) throw std::runtime_error("the result is not the receive's");
        require(result.Status, ND_CANCELED, "the receive");
    }

    void exchange() {
        support::fill_pattern(memory_.bytes(0, kSharedBytes), kPeerSeed);
        receive(kMessageOffset, kMessageBytes);
        send_offer();
        const ND2_RESULT message = complete(Nd2RequestTypeReceive, "the test's message");
        if (!support::has_pattern(memory_.bytes(0, kSharedBytes), kTestSeed)) {
            throw std::runtime_error("the memory does not hold what the test wrote");
        }
        send(kMessageOffset, message.BytesTransferred);
        finish(connector_->NotifyDisconnect(request_.get()), "NotifyDisconnect");
        disconnect();
    }

private:
    void finish(HRESULT begun, const char* what) {
        require(begun, ND_PENDING, what);
        require(request_.wait(connector_.get()), ND_SUCCESS, what);
    }

    ND2_SGE piece(std::size_t offset, std::size_t length) {
        return {memory_.data() + offset, static_cast<ULONG>(length), region_->GetLocalToken()};
    }

    support::Startup startup_;
    ComPtr<IND2Adapter> adapter_ = support::open_loopback_adapter();
    HANDLE file_ = nullptr;
    OverlappedRequest request_;
    support::Buffer memory_;
    std::vector<ND2_RESULT> results_;  // taken from the queue, not asked for yet
    ComPtr<IND2CompletionQueue> queue_;
    ComPtr<IND2MemoryRegion> region_;
    ComPtr<IND2QueuePair> queue_pair_;
    ComPtr<IND2Connector> connector_;
};

void run(const std::string& role, std::uint16_t port, support::MemoryKind kind) {
    const bool on_purpose = role == "lose-on-purpose";  // what opens after a plan has faults
    if (on_purpose) require(opennd_faults_set("send:timeout nth=1000000000"), ND_SUCCESS, "opennd_faults_set");
    Peer peer(kind);
    if (role == "exchange") {
        peer.connect(port);
        peer.exchange();
    } else if (role == "send-loop") {
        peer.connect(port);
        for (;;) peer.send(0, kMessageBytes);
    } else if (role == "target" || role == "listen-target") {
        role == "target" ? peer.connect(port) : peer.accept();
        peer.send_offer();
        stay();
    } else if (role == "leave-a-child") {
        peer.connect(port);
        peer.send_offer();
        leave_a_child();
        stay();
    } else if (role == "lose" || on_purpose) {
        peer.connect(port);
        peer.lose(on_purpose);
    } else if (role == "keep-page" || role == "keep-and-leave") {
        peer.connect(port);
        peer.keep_pages(role == "keep-and-leave");
    } else if (role == "half-connected") {
        peer.reply(port);
        say("replied");
        stay();
    } else {
        throw std::runtime_error("unknown role " + role);
    }
}

}  // namespace
}  // namespace opennd::interop

int main(int count, char** arguments) try {
    if (count < 3) throw std::runtime_error("usage: interop_peer <role> <port> [mappable]");
    const auto kind = count > 3 ? opennd::support::MemoryKind::mappable : opennd::support::MemoryKind::ordinary;
    opennd::interop::run(arguments[1], static_cast<std::uint16_t>(std::atoi(arguments[2])), kind);
    return 0;
} catch (const std::exception& failure) {
    std::fprintf(stderr, "interop_peer: %s\n", failure.what());
    return 1;
}
