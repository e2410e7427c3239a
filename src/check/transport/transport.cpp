// SPDX-License-Identifier: MIT
// See transport.h.
#include "check/transport/transport.h"

#include "check/transport/adapter.h"

namespace opennd {

Result<Ref<TransportAdapter>> CheckedTransport::open(const Interface& on) {
    Result<Ref<TransportAdapter>> inner = inner_.open(on);
    if (!inner.ok()) return inner;
    return Ref<TransportAdapter>(make_ref<CheckedAdapter>(parts_, inner.take()));
}

}  // namespace opennd
