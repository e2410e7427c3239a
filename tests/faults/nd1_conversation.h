// SPDX-License-Identifier: MIT
//
// The conversation through version 1.
#pragma once

#include <opennd.h>

#include "faults/conversation.h"
#include "support/adapter.h"
#include "support/buffer.h"

namespace opennd::faults {

class Nd1Conversation final : public Conversation {
public:
    Nd1Conversation() : Conversation(nd1_statuses(), ND_INSUFFICIENT_RESOURCES) {}

private:
    // An OVERLAPPED with an event.
    class Request {
    public:
        Request();
        Request(const Request&) = delete;
        ~Request();
        operator OVERLAPPED*() { return &overlapped_; }
        bool pending();
        // Its status; ND_PENDING if it is not complete by then.
        HRESULT wait();

    private:
        OVERLAPPED overlapped_{};
        HANDLE event_ = nullptr;
    };
    struct Side {
        support::ComPtr<INDAdapter> adapter;
        support::ComPtr<INDCompletionQueue> initiated, received;
        ND_MR_HANDLE registration = nullptr;
        support::ComPtr<INDMemoryWindow> window;
        support::ComPtr<INDConnector> connector;
        support::ComPtr<INDEndpoint> endpoint;
    };

    bool talk(support::milliseconds patience) override;
    void let_go() override;

    bool ends(const char* method, Request& request) { return later(method, request.wait()); }
    bool finish(const char* method, HRESULT begun, Request& request) {
        return at_once(method, begun) && ends(method, request);
    }
    // The queue's next result belongs to `posted` and has `bytes`.
    bool comes(const char* request, INDCompletionQueue* queue, const ND_RESULT& posted, SIZE_T bytes);
    bool open(Side& side, support::Buffer& memory);
    bool establish(support::milliseconds patience);
    bool transfer() override;
    bool withdraw();

    support::Startup startup_;
    support::Buffer client_memory_{64 * 1024, support::MemoryKind::ordinary};
    support::Buffer server_memory_{64 * 1024, support::MemoryKind::mappable};
    ND_RESULT received_{}, initiated_{}, bound_{};
    // Each for one method at a time; outlive the objects.
    Request request_, notified_, incoming_, accepted_, ended_;
    Side client_, server_;
    support::ComPtr<INDListen> listen_;
};

}  // namespace opennd::faults
