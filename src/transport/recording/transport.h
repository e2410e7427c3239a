// SPDX-License-Identifier: MIT
// The recording layer: a transport around the transport, which knows when each request was posted and how it ended
// (docs/decisions/0066-ages-without-a-clock.md). It is put there when the library is made, so that nothing of it is passed where no
// setting wants it. Next: adapter.h.
#pragma once

#include "base/shown_context.h"
#include "transport/layer/transport.h"
#include "transport/recording/recorder.h"

namespace opennd::recording {

class RecordingTransport final : public LayerTransport, public ContextReader {
public:
    RecordingTransport(Transport& inner, const Options& options) : LayerTransport(inner), recorder_(options) {}

    Result<Ref<TransportAdapter>> open(const Interface& on, Face face) override;

    std::optional<const void*> given_context(const void* own) const noexcept override {
        return static_cast<const PostedRequest*>(own)->context;
    }

    const Recorder& recorder() const { return recorder_; }
    bool counts_latencies() const { return recorder_.counts_latencies(); }

private:
    Recorder recorder_;
};

}  // namespace opennd::recording
