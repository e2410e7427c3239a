// SPDX-License-Identifier: MIT
// The data path's part of the checking layer: a transport around a transport. It is put there when the library is made, so that nothing of
// it is passed where OPENND_CHECK is off. Next: adapter.h.
#pragma once

#include "base/shown_context.h"
#include "check/transport/checked_parts.h"
#include "transport/layer/transport.h"

namespace opennd {

class CheckedTransport final : public LayerTransport, public ContextReader {
public:
    CheckedTransport(Transport& inner, Diagnostics& diagnostics) : LayerTransport(inner), parts_{diagnostics, {}, {}} {}

    Result<Ref<TransportAdapter>> open(const Interface& on, Face face) override;

    std::optional<const void*> given_context(const void* own) const noexcept override;

private:
    CheckedParts parts_;
};

}  // namespace opennd
