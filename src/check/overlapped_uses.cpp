// SPDX-License-Identifier: MIT
// See overlapped_uses.h.
#include "check/overlapped_uses.h"

#include "base/format.h"
#include "base/phrase.h"

namespace opennd {

void OverlappedUses::began(const void* overlapped, const void* object) {
    const CallStack at = program_stack();
    bool pending = false;
    CallStack before;
    {
        const Held lock(mutex_);
        Use& use = uses_[overlapped];
        pending = use.pending != 0;
        before = use.at;
        ++use.pending;
        use.object = object;
        use.at = at;
    }
    if (!pending) return;
    const std::string since = stack_text(before, 1);
    diagnostics_.tell({CheckRule::overlapped_in_use, phrase("OVERLAPPED {}", overlapped),
                       format("a second call; the first is pending since {}", since.empty() ? "some call" : since)},
                      {"at", at});
}

void OverlappedUses::ends(const void* overlapped) {
    const Held lock(mutex_);
    const auto found = uses_.find(overlapped);
    if (found == uses_.end() || found->second.pending == 0) return;
    if (--found->second.pending != 0) return;
    idle_.push_back(overlapped);
    while (idle_.size() > kMostFinished) {
        const auto oldest = uses_.find(idle_.front());
        idle_.pop_front();
        if (oldest != uses_.end() && oldest->second.pending == 0) uses_.erase(oldest);
    }
}

void OverlappedUses::asked(const void* overlapped, const void* object) {
    {
        const Held lock(mutex_);
        const auto found = uses_.find(overlapped);
        if (found == uses_.end() || found->second.object == object) return;
    }
    diagnostics_.tell({CheckRule::other_object, phrase("OVERLAPPED {}", overlapped),
                       "GetOverlappedResult on another object than the one that began the request"},
                      CallSite::here());
}

}  // namespace opennd
