// SPDX-License-Identifier: MIT
// A queue pair whose requests are in a book from the post to the result.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "model/face.h"
#include "transport/layer/queue_pair.h"
#include "transport/shared_receive_queue.h"
#include "transport/watch/watch.h"

namespace opennd::watch {

class WatchedQueuePair final : public LayerQueuePair {
public:
    // `judge`: null if requests are not checked. `shared`: kept as long as this one, which takes receives of it; null: none.
    WatchedQueuePair(Watch& watch, Ref<RequestBook> book, std::unique_ptr<RequestJudge> judge,
                     std::uint32_t interface_index, Face face, Ref<TransportQueuePair> inner,
                     Ref<TransportSharedReceiveQueue> shared)
        : LayerQueuePair(std::move(inner)),
          watch_(watch),
          book_(std::move(book)),
          judge_(std::move(judge)),
          interface_index_(interface_index),
          face_(face),
          shared_(std::move(shared)) {}
    ~WatchedQueuePair() override;

    // The wire of the connection that begins: static text.
    void connects_over(std::string_view wire);
    // The limit of that connection.
    void set_outbound_reads(std::uint32_t limit) {
        if (judge_) judge_->set_outbound_reads(limit);
    }

    Status post(const WorkRequest& request) override;
    void close() override;
    QueuePairUse use() override;
    void set_number(std::uint32_t number) override;

private:
    // Constant after construction.
    Watch& watch_;
    const Ref<RequestBook> book_;
    const std::unique_ptr<RequestJudge> judge_;
    const std::uint32_t interface_index_;
    const Face face_;
    const Ref<TransportSharedReceiveQueue> shared_;
};

}  // namespace opennd::watch
