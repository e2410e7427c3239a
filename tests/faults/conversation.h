// SPDX-License-Identifier: MIT
//
// Two sides in this process that do all there is to do, from opening an adapter to letting it go, and stop at the first
// thing that fails. Each status is looked up in the table of its method.
#pragma once

#include <opennd.h>

#include <cstddef>
#include <string>
#include <vector>

#include "faults/status_table.h"
#include "support/adapter.h"
#include "support/buffer.h"
#include "support/overlapped_request.h"

namespace opennd::faults {

class Conversation {
public:
    // True: all of it succeeded.
    bool run();

    // What no table has, and requests that did not end; each once.
    const std::vector<std::string>& findings() const { return findings_; }

private:
    // Succeeded, or is pending.
    bool at_once(const char* method, HRESULT status);
    // Waits for it, and tells whether it succeeded.
    bool later(const char* method, support::OverlappedRequest& request, IND2Overlapped* object);
    bool finish(const char* method, HRESULT begun, support::OverlappedRequest& request, IND2Overlapped* object);
    bool result(const char* request, IND2CompletionQueue* queue);

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
    bool establish();
    bool transfer();
    bool let_go();
    void release();

    std::vector<std::string> findings_;
    support::Startup startup_;
    support::Buffer client_memory_{64 * 1024, support::MemoryKind::ordinary};
    support::Buffer server_memory_{64 * 1024, support::MemoryKind::mappable};
    support::OverlappedRequest request_, incoming_, accepted_;
    Side client_, server_;
};

}  // namespace opennd::faults
