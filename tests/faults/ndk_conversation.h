// SPDX-License-Identifier: MIT
//
// The conversation through NDKPI.
#pragma once

#include <deque>
#include <mutex>

#include "faults/conversation.h"
#include "ndk/consumer/consumer.h"
#include "support/adapter.h"
#include "support/buffer.h"

namespace opennd::faults {

class NdkConversation final : public Conversation {
public:
    NdkConversation() : Conversation(ndk_statuses(), STATUS_INSUFFICIENT_RESOURCES) {}

private:
    using Calls = ndk_test::Calls;
    template <typename Object>
    using Owned = ndk_test::Owned<Object>;

    struct Side {
        NDK_ADAPTER* adapter = nullptr;
        Calls armed;
        Owned<NDK_PD> domain;
        Owned<NDK_CQ> initiated, received;
        Owned<NDK_MR> region;
        Owned<NDK_QP> queue_pair;
        Owned<NDK_CONNECTOR> connector;
    };

    bool talk(support::milliseconds patience) override;
    void let_go() override;

    bool finish(const char* function, NTSTATUS begun, Calls& calls);
    template <typename Object>
    void close(Owned<Object>& object);
    static VOID on_request(PVOID conversation, NDK_CONNECTOR* connector);
    void drop_requests();

    // The next result of the queue.
    bool comes(const char* request, NDK_CQ* queue, Calls& armed, ULONG bytes);
    bool open(Side& side, support::Buffer& memory);
    bool listen();
    bool establish(support::milliseconds patience);
    bool accept(support::milliseconds patience);
    bool transfer() override;
    bool withdraw();

    support::Buffer client_memory_{64 * 1024, support::MemoryKind::ordinary};
    support::Buffer server_memory_{64 * 1024, support::MemoryKind::mappable};
    // The callbacks' contexts; no callback comes once the adapters are closed.
    Calls calls_, connected_, accepted_, disconnected_, arrived_;
    std::mutex mutex_;
    std::deque<NDK_CONNECTOR*> requests_;  // that nobody has taken
    Side client_, server_;
    Owned<NDK_LISTENER> listener_;
};

}  // namespace opennd::faults
