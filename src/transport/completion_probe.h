// SPDX-License-Identifier: MIT
// The probe `complete` (docs/probes.md): where a transport has a completion ready.
#pragma once

#include "base/probes.h"
#include "model/completion.h"

namespace opennd {

[[gnu::always_inline]] inline void probe_completion([[maybe_unused]] const Completion& is) {
    OPENND_PROBE(complete, is.queue_pair_context, static_cast<int>(is.operation), is.request_context,
                 static_cast<int>(is.status), is.length_bytes);
}

}  // namespace opennd
