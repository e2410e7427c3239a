// SPDX-License-Identifier: MIT
// See transport.h.
#include "transport/recording/transport.h"

#include "transport/recording/adapter.h"

namespace opennd::recording {

Result<Ref<TransportAdapter>> RecordingTransport::open(const Interface& on, Face face) {
    Result<Ref<TransportAdapter>> inner = LayerTransport::open(on, face);
    if (!inner.ok()) return inner;
    return Ref<TransportAdapter>(make_ref<RecordingAdapter>(recorder_, on.index, face, inner.take()));
}

}  // namespace opennd::recording
