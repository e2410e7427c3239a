// SPDX-License-Identifier: MIT
// See registered_memory.h.
#include "transport/watch/misuse/registered_memory.h"

#include "base/format.h"
#include "base/phrase.h"
#include "platform/memory/present_memory.h"
#include "transport/watch/misuse/freed_memory.h"

namespace opennd::watch {

void RegisteredMemory::add(Token local, const Region& region) {
    const Held lock(mutex_);
    regions_.insert_or_assign(local, region);
}

void RegisteredMemory::remove(Token local) {
    const Held lock(mutex_);
    regions_.erase(local);
}

RegisteredMemory::Finding RegisteredMemory::judge(const Sge& sge, Access wanted, std::string& fault,
                                                  bool& plain) const {
    plain = false;
    Region region;
    {
        const Held lock(mutex_);
        const auto found = regions_.find(sge.token);
        if (found == regions_.end()) return Finding::unknown;
        region = found->second;
    }
    if (region.kind == Kind::address_space) return Finding::sound;
    const auto start = reinterpret_cast<std::uint64_t>(sge.buffer);
    const std::uint64_t end = start + sge.length, region_end = region.start + region.bytes;
    if (start < region.start || end > region_end || end < start) {
        fault = format("{} bytes at {:#x} are not within its region of {} bytes at {:#x}", sge.length, start,
                       region.bytes, region.start);
        return Finding::fault;
    }
    if (wanted != Access::none && !any_of(region.access, wanted)) {
        fault = "its region was registered without the right to write it";
        return Finding::fault;
    }
    plain = region.kind == Kind::plain;
    return Finding::sound;
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

}  // namespace opennd::watch
