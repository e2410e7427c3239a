// SPDX-License-Identifier: MIT
// See entry_judge.h.
#include "check/transport/entry_judge.h"

#include <optional>
#include <string>

#include "base/phrase.h"
#include "check/transport/freed_memory.h"
#include "platform/memory/present_memory.h"

namespace opennd {
namespace {

// The rights of which an entry needs one; none: it only reads.
Access needed_by(Operation operation) {
    if (operation == Operation::receive) return Access::local_write;
    return operation == Operation::read ? Access::local_write | Access::read_sink : Access::none;
}

bool has_entries(Operation operation) {
    return operation == Operation::receive || operation == Operation::send || operation == Operation::read ||
           operation == Operation::write || operation == Operation::send_and_invalidate;
}

}  // namespace

EntryJudge::Judged EntryJudge::judge(std::string_view object, Operation operation, std::span<const Sge> sges,
                                     RequestFlags flags, const CallSite& site) const {
    Judged judged;
    if (!has_entries(operation) || has(flags, RequestFlags::inline_data)) return judged;
    const bool fills = operation == Operation::receive || operation == Operation::read;
    for (std::size_t i = 0; i < sges.size(); ++i) {
        const Sge& sge = sges[i];
        const bool copied = has(flags, RequestFlags::inline_entries) && sge.token == Token::none;
        if (sge.length == 0 || copied) continue;
        if (!judge_entry(object, operation, sge, i, site)) continue;
        judged.memory.push_back(sge);
        if (!fills && judge_filling(object, operation, sge, flags, site)) judged.settled = false;
    }
    return judged;
}

bool EntryJudge::judge_entry(std::string_view object, Operation operation, const Sge& sge, std::size_t place,
                             const CallSite& site) const {
    std::string fault;
    bool plain = false;
    switch (regions_->judge(sge, needed_by(operation), fault, plain)) {
        case RegisteredMemory::Finding::sound: break;
        case RegisteredMemory::Finding::unknown:
            if (adapter_->names_fast_region(sge.token)) return false;
            fault = format("no region of this adapter has its token {:#x} now", value(sge.token));
            [[fallthrough]];
        case RegisteredMemory::Finding::fault:
            diagnostics_.tell({CheckRule::entry, object, phrase("{}: entry {}: {}", name(operation), place, fault)},
                              site);
            return false;
    }
    if (!plain) return false;
    if (is_gone(sge)) {
        diagnostics_.tell({CheckRule::memory_gone, object,
                           phrase("{}: entry {}: {} bytes at {}, which are registered", name(operation), place,
                                  sge.length, static_cast<const void*>(sge.buffer))},
                          site);
        return false;
    }
    return true;
}

bool EntryJudge::judge_filling(std::string_view object, Operation operation, const Sge& sge, RequestFlags flags,
                               const CallSite& site) const {
    const std::optional<FilledMemory::Range> filled = filled_.find(sge);
    if (!filled) return false;
    const bool by_read = filled->operation == Operation::read;
    if (by_read && has(flags, RequestFlags::read_fence)) return true;
    diagnostics_.tell({by_read ? CheckRule::buffer_in_use : CheckRule::buffer_shared, object,
                       phrase("{} of {} bytes at {}, which a {} without a result fills", name(operation), sge.length,
                              static_cast<const void*>(sge.buffer), name(filled->operation))},
                      site);
    return true;
}

bool EntryJudge::is_gone(const Sge& sge) const {
    return check_mapped(sge.buffer, sge.length, false) == Status::access_violation || is_known_as_freed(sge.buffer);
}

}  // namespace opennd
