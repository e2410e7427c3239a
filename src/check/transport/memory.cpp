// SPDX-License-Identifier: MIT
// See memory.h.
#include "check/transport/memory.h"

#include "base/phrase.h"
#include "check/transport/freed_memory.h"
#include "platform/memory/present_memory.h"

namespace opennd {

CheckedMemory::CheckedMemory(Diagnostics& diagnostics, Ref<RegisteredMemory> regions, Ref<TransportMemory> inner,
                             const RegisteredMemory::Region& region)
    : diagnostics_(diagnostics), regions_(std::move(regions)), inner_(std::move(inner)), region_(region) {
    regions_->add(inner_->local_token(), region_);
}

void CheckedMemory::deregister() {
    if (region_.kind == RegisteredMemory::Kind::plain) {
        const auto* const start = reinterpret_cast<const void*>(region_.start);
        const bool unmapped = check_mapped(start, region_.bytes, false) == Status::access_violation;
        if (unmapped || is_known_as_freed(start))
            diagnostics_.tell({CheckRule::memory_gone, "memory region",
                               phrase("{} bytes at {:#x} are {} when they are deregistered", region_.bytes,
                                      region_.start, unmapped ? "not mapped any more" : "freed")},
                              {"registered at", region_.at});
    }
    regions_->remove(inner_->local_token());
    inner_->deregister();
}

}  // namespace opennd
