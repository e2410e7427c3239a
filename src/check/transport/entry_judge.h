// SPDX-License-Identifier: MIT
// The rules about the entries of a request: within their regions, mapped, and not being filled by another request.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/ref.h"
#include "check/diagnostics.h"
#include "check/transport/filled_memory.h"
#include "check/transport/registered_memory.h"
#include "model/work_request.h"
#include "transport/adapter.h"

namespace opennd {

// Any thread.
class EntryJudge {
public:
    EntryJudge(Diagnostics& diagnostics, const FilledMemory& filled, Ref<RegisteredMemory> regions,
               Ref<TransportAdapter> adapter)
        : diagnostics_(diagnostics), filled_(filled), regions_(std::move(regions)), adapter_(std::move(adapter)) {}

    struct Judged {
        std::vector<Sge> memory;  // of the entries that may be looked at
        bool settled = true;      // no other request fills it
    };
    // Tells the faults. Throws std::bad_alloc.
    Judged judge(std::string_view object, Operation operation, std::span<const Sge> sges, RequestFlags flags,
                 const CallSite& site) const;

private:
    // Whether the memory may be looked at.
    bool judge_entry(std::string_view object, Operation operation, const Sge& sge, std::size_t place,
                     const CallSite& site) const;
    // Whether another request fills it.
    bool judge_filling(std::string_view object, Operation operation, const Sge& sge, RequestFlags flags,
                       const CallSite& site) const;
    bool is_gone(const Sge& sge) const;

    Diagnostics& diagnostics_;
    const FilledMemory& filled_;
    Ref<RegisteredMemory> regions_;
    Ref<TransportAdapter> adapter_;
};

}  // namespace opennd
