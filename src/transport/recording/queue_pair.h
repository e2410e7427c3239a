// SPDX-License-Identifier: MIT
// A queue pair whose requests are recorded from the post to the result.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "model/face.h"
#include "transport/layer/queue_pair.h"
#include "transport/recording/recorder.h"
#include "transport/shared_receive_queue.h"

namespace opennd::recording {

class RecordedQueuePair final : public LayerQueuePair {
public:
    // `shared`: kept as long as this one, which takes receives of it; null: none.
    RecordedQueuePair(Recorder& recorder, Ref<RequestRecord> record, std::uint32_t interface_index, Face face,
                      Ref<TransportQueuePair> inner, Ref<TransportSharedReceiveQueue> shared)
        : LayerQueuePair(std::move(inner)),
          recorder_(recorder),
          record_(std::move(record)),
          interface_index_(interface_index),
          face_(face),
          shared_(std::move(shared)) {}
    ~RecordedQueuePair() override;

    // The wire of the connection that begins: static text.
    void connects_over(std::string_view wire);

    Status post(const WorkRequest& request) override;
    void close() override;
    std::optional<QueuePairUse> use() override;
    void set_number(std::uint32_t number) override;

private:
    // Constant after construction.
    Recorder& recorder_;
    const Ref<RequestRecord> record_;
    const std::uint32_t interface_index_;
    const Face face_;
    const Ref<TransportSharedReceiveQueue> shared_;
};

}  // namespace opennd::recording
