// SPDX-License-Identifier: MIT
// The recording layer: a transport around the transport, which knows when each request was posted and how it ended
// (docs/decisions/0066-ages-without-a-clock.md). It is put there when the library is made, so that nothing of it is passed where no
// setting wants it. Next: adapter.h.
#pragma once

#include "base/shown_context.h"
#include "transport/adapter.h"
#include "transport/recording/recorder.h"

namespace opennd::recording {

class RecordingTransport final : public Transport, public ContextReader {
public:
    RecordingTransport(Transport& inner, const Options& options) : inner_(inner), recorder_(options) {}

    Result<Ref<TransportAdapter>> open(const Interface& on, Face face) override;
    Result<Ref<RefCounted>> hold_kind(const Interface& on, AdapterKinds kinds) override {
        return inner_.hold_kind(on, kinds);
    }
    TransportChoice explain(const Address& local, const Address& remote) override {
        return inner_.explain(local, remote);
    }
    std::optional<std::vector<WireTraffic>> traffic(std::uint32_t index) const override {
        return inner_.traffic(index);
    }

    std::optional<const void*> given_context(const void* own) const noexcept override {
        return static_cast<const PostedRequest*>(own)->context;
    }

    const Recorder& recorder() const { return recorder_; }
    bool counts_latencies() const { return recorder_.counts_latencies(); }

private:
    Transport& inner_;
    Recorder recorder_;
};

}  // namespace opennd::recording
