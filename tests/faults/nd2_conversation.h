// SPDX-License-Identifier: MIT
//
// The conversation through version 2.
#pragma once

#include <opennd.h>

#include "faults/conversation.h"
#include "support/adapter.h"
#include "support/buffer.h"
#include "support/overlapped_request.h"

namespace opennd::faults {

class Nd2Conversation final : public Conversation {
public:
    Nd2Conversation() : Conversation(nd2_statuses(), ND_NO_MEMORY) {}

private:
    bool talk(support::milliseconds patience) override;
    void let_go() override;

    // Waits for it, and tells whether it succeeded.
    bool ends(const char* method, support::OverlappedRequest& request, IND2Overlapped* object);
    bool finish(const char* method, HRESULT begun, support::OverlappedRequest& request, IND2Overlapped* object);
    bool comes(const char* request, IND2CompletionQueue* queue);

    struct Side {
        support::ComPtr<IND2Adapter> adapter;
        HANDLE file = nullptr;
        support::ComPtr<IND2CompletionQueue> initiated, received;
        support::ComPtr<IND2MemoryRegion> region;
        support::ComPtr<IND2QueuePair> queue_pair;
        support::ComPtr<IND2Connector> connector;
        support::ComPtr<IND2Listener> listener;
    };
    bool open(Side& side, support::Buffer& memory);
    bool establish(support::milliseconds patience);
    bool transfer() override;
    bool withdraw();

    support::Startup startup_;
    support::Buffer client_memory_{64 * 1024, support::MemoryKind::ordinary};
    support::Buffer server_memory_{64 * 1024, support::MemoryKind::mappable};
    support::OverlappedRequest request_, incoming_, accepted_;
    Side client_, server_;
};

}  // namespace opennd::faults
