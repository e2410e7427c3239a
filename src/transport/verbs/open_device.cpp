// SPDX-License-Identifier: MIT
// See open_device.h.
#include "transport/verbs/open_device.h"

#include <algorithm>

#include "base/explanation.h"

namespace opennd::verbs {

Status TranslatedEntries::translate(OpenDevice& adapter, Operation operation, std::span<const Sge> entries,
                                    std::uint32_t most) {
    const bool writes = operation == Operation::receive || operation == Operation::read;
    const bool fit =
        std::all_of(entries.begin(), entries.end(), [&](const Sge& each) { return add(adapter, each, writes); });
    if (!fit || count_ > std::max<std::size_t>(most, entries.size()))
        return explain(
            Status::insufficient_resources,
            {.object = "queue pair",
             .operation = name(operation),
             .asked = "memory of a fast region in more runs of neighbouring pages than entries",
             .limit = phrase("{} entries, in place of which OpenND puts addresses: RDMA device {} ({}) has no "
                             "fast registration",
                             most, adapter.device()->facts().name, adapter.device()->facts().driver),
             .remedy = "create it with more entries, or use several requests",
             .requirement = "NDK-MAP-10"});
    return adapter.device()->named_pages().translate(adapter, {entries_.data(), count_});
}

bool TranslatedEntries::add(OpenDevice& adapter, const Sge& entry, bool writes) {
    if (entry.length == 0) return true;  // never validated, and never sent
    const Ref<VerbsFastRegion> region = adapter.fast_regions().find(entry.token);
    const Ref<const FastMemory> memory = region ? region->named() : nullptr;
    if (!memory || !memory->grants(entry, writes)) return add(entry);
    bool fits = true;
    memory->walk(entry, [&](std::byte* address, std::uint32_t bytes) {
        return fits = add({address, bytes, region->token_of_all()});
    });
    return fits;
}

bool TranslatedEntries::add(const Sge& entry) {
    if (count_ == entries_.size()) return false;
    entries_[count_++] = entry;
    return true;
}

}  // namespace opennd::verbs
