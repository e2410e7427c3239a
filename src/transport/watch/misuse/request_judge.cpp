// SPDX-License-Identifier: MIT
// See request_judge.h.
#include "transport/watch/misuse/request_judge.h"

#include <optional>
#include <string>

#include "base/phrase.h"
#include "platform/memory/present_memory.h"
#include "transport/watch/misuse/freed_memory.h"

namespace opennd::watch {
namespace {

// The rights of which an entry needs one; none: it only reads.
Access needed_by(Operation operation) {
    if (operation == Operation::receive) return Access::local_write;
    return operation == Operation::read ? Access::local_write | Access::read_sink : Access::none;
}

bool fills_memory(Operation operation) { return operation == Operation::receive || operation == Operation::read; }

bool reads_memory(Operation operation) { return uses_receive(operation) || operation == Operation::write; }

bool is_gone(const Sge& sge) {
    return check_mapped(sge.buffer, sge.length, false) == Status::access_violation || is_known_as_freed(sge.buffer);
}

}  // namespace

std::unique_ptr<CheckedRequest> RequestJudge::judge(std::string_view object, const WorkRequest& request,
                                                    TransportQueuePair* first_receive_of) const {
    const CallSite site = CallSite::here();
    const Post post{object, request.operation, request.flags, site};
    const std::uint32_t outbound_reads = outbound_reads_.load(std::memory_order_relaxed);
    if (request.operation == Operation::read && outbound_reads == 0)
        tell(
            CheckRule::read_limit, post,
            phrase("Read of {} bytes, and the outbound read limit of the connection is 0", total_length(request.sges)));
    if (request.operation == Operation::receive && first_receive_of && outbound_reads != kNotConnected)
        judge_waiting(post, *first_receive_of);

    Entries entries = judge_entries(post, request.sges);
    auto checked = std::make_unique<CheckedRequest>(request, std::move(entries.memory), site.stack);
    // The end of a silent request is known to the program by other means than a result.
    const bool silent = has(request.flags, RequestFlags::silent_success);
    if (reads_memory(request.operation) && entries.settled && !silent) checked->keep_unchanged();
    if (fills_memory(request.operation)) checked->fill(parts_.filled);

    const Ref<ResultRoom>& room = request.operation == Operation::receive ? rooms_.receives : rooms_.initiators;
    if (!room || silent) return checked;
    if (const std::uint32_t expected = checked->expect_result(room); expected > room->depth())
        tell(CheckRule::depth, post,
             phrase("{}: {} results may come to completion queue {} of depth {}", name(request.operation), expected,
                    room->number(), room->depth()));
    return checked;
}

RequestJudge::Entries RequestJudge::judge_entries(const Post& post, std::span<const Sge> sges) const {
    Entries judged;
    const bool fills = fills_memory(post.operation);
    if ((!fills && !reads_memory(post.operation)) || has(post.flags, RequestFlags::inline_data)) return judged;
    for (std::size_t i = 0; i < sges.size(); ++i) {
        const Sge& sge = sges[i];
        const bool copied = has(post.flags, RequestFlags::inline_entries) && sge.token == Token::none;
        if (sge.length == 0 || copied) continue;
        if (!judge_entry(post, sge, i)) continue;
        judged.memory.push_back(sge);
        if (!fills && judge_filling(post, sge)) judged.settled = false;
    }
    return judged;
}

bool RequestJudge::judge_entry(const Post& post, const Sge& sge, std::size_t place) const {
    std::string fault;
    bool plain = false;
    switch (regions_->judge(sge, needed_by(post.operation), fault, plain)) {
        case RegisteredMemory::Finding::sound: break;
        case RegisteredMemory::Finding::unknown:
            if (adapter_->names_fast_region(sge.token)) return false;
            fault = format("no region of this adapter has its token {:#x} now", value(sge.token));
            [[fallthrough]];
        case RegisteredMemory::Finding::fault:
            tell(CheckRule::entry, post, phrase("{}: entry {}: {}", name(post.operation), place, fault));
            return false;
    }
    if (!plain) return false;
    if (!is_gone(sge)) return true;
    tell(CheckRule::memory_gone, post,
         phrase("{}: entry {}: {} bytes at {}, which are registered", name(post.operation), place, sge.length,
                static_cast<const void*>(sge.buffer)));
    return false;
}

bool RequestJudge::judge_filling(const Post& post, const Sge& sge) const {
    const std::optional<FilledMemory::Range> filled = parts_.filled.find(sge);
    if (!filled) return false;
    const bool by_read = filled->operation == Operation::read;
    if (by_read && has(post.flags, RequestFlags::read_fence)) return true;
    tell(by_read ? CheckRule::buffer_in_use : CheckRule::buffer_shared, post,
         phrase("{} of {} bytes at {}, which a {} without a result fills", name(post.operation), sge.length,
                static_cast<const void*>(sge.buffer), name(filled->operation)));
    return true;
}

void RequestJudge::judge_waiting(const Post& post, TransportQueuePair& queue_pair) const {
    if (queue_pair.use().message_waits)
        tell(CheckRule::receive_late, post, "Receive, and a message of the peer waits for it");
}

void RequestJudge::tell(CheckRule rule, const Post& post, std::string_view fact) const {
    parts_.diagnostics.tell({rule, post.object, fact}, post.site);
}

}  // namespace opennd::watch
