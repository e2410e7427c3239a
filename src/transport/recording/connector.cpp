// SPDX-License-Identifier: MIT
// See connector.h.
#include "transport/recording/connector.h"

#include "transport/recording/queue_pair.h"

namespace opennd::recording {
namespace {

class RecordedListenerSink final : public ListenerSink {
public:
    explicit RecordedListenerSink(Ref<ListenerSink> sink) : sink_(std::move(sink)) {}

    void on_request(Ref<TransportConnector> connector, ConnectionRequest request) override {
        const Ref<RecordedConnector> recorded = make_ref<RecordedConnector>();
        recorded->stand_around(std::move(connector));
        sink_->on_request(recorded, std::move(request));
    }

private:
    const Ref<ListenerSink> sink_;
};

}  // namespace

Ref<ListenerSink> recorded_sink(Ref<ListenerSink> sink) { return make_ref<RecordedListenerSink>(std::move(sink)); }

void RecordedConnector::accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                               std::span<const std::byte> private_data) {
    auto& recorded = static_cast<RecordedQueuePair&>(*queue_pair);
    recorded.connects_over(inner_->path().transport);
    inner_->accept(recorded.inner(), limits, private_data);
}

}  // namespace opennd::recording
