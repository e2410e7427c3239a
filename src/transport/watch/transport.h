// SPDX-License-Identifier: MIT
// The watching layer: a transport around the transport, which has each request in a book from its post to its result. It records times and
// events (docs/decisions/0066-ages-without-a-clock.md), and is the checking layer's part on the data path
// (docs/decisions/0065-a-layer-that-checks.md). It is put there when the library is made, so that nothing of it is passed where no setting
// wants it. Next: adapter.h.
#pragma once

#include "base/shown_context.h"
#include "transport/layer/transport.h"
#include "transport/watch/adapter.h"
#include "transport/watch/watch.h"

namespace opennd::watch {

class WatchingTransport final : public LayerTransport, public ContextReader {
public:
    WatchingTransport(Transport& inner, const Options& options, Diagnostics* diagnostics)
        : LayerTransport(inner), watch_(options, diagnostics) {}

    Result<Ref<TransportAdapter>> open(const Interface& on, Face face) override {
        Result<Ref<TransportAdapter>> inner = LayerTransport::open(on, face);
        if (!inner.ok()) return inner;
        return Ref<TransportAdapter>(make_ref<WatchingAdapter>(watch_, on.index, face, inner.take()));
    }

    const void* given_context(const void* own) const noexcept override {
        return static_cast<const PostedRequest*>(own)->context;
    }

    const Watch& watch() const { return watch_; }

private:
    Watch watch_;
};

}  // namespace opennd::watch
