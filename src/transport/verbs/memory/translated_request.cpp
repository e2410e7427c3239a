// SPDX-License-Identifier: MIT
// See translated_request.h.
#include "transport/verbs/memory/translated_request.h"

#include <algorithm>
#include <utility>

#include "base/explanation.h"

namespace opennd::verbs {
namespace {

std::uint32_t most_entries(const OpenDevice& adapter, const QueuePairLimits& limits, Operation operation) {
    if (operation == Operation::receive) return limits.receive_sges;
    if (operation != Operation::read) return limits.initiator_sges;
    return std::min(limits.initiator_sges, adapter.limits().max_read_sges);
}

Status refuse_end_by_read(const DeviceFacts& facts) {
    return explain(Status::not_supported,
                   {.object = "queue pair",
                    .operation = name(Operation::read),
                    .asked = "the end of the registration that the Read fills",
                    .limit = phrase("RDMA device {} ({}) has no such Read", facts.name, facts.driver),
                    .remedy = "post NdkInvalidate behind it",
                    .requirement = "NDK-QP-READ-04"});
}

}  // namespace

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

Status TranslatedRequest::translate(OpenDevice& adapter, const QueuePairLimits& limits, const WorkRequest& request) {
    request_ = request;
    if (request.extra.any() && !has_immediate(request.operation)) {
        if (FastChange* const change = change_of(request.operation, request.extra.subject())) {
            if (change->region().begin(*change, before_))
                change_ = change;
            else
                request_.extra = {};
            return Status::success;
        }
    }
    if (has(request.flags, RequestFlags::local_invalidate)) return refuse_end_by_read(adapter.device()->facts());
    if (has(request.flags, RequestFlags::inline_data) || request.sges.size() > kMostEntries) return Status::success;
    const Status status =
        entries_.translate(adapter, request.operation, request.sges, most_entries(adapter, limits, request.operation));
    request_.sges = entries_.get();
    return status;
}

void TranslatedRequest::take_back() {
    if (change_) change_->region().take_back(std::move(before_));
}

}  // namespace opennd::verbs
