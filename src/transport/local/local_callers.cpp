// SPDX-License-Identifier: MIT
// LocalCallers: see local_callers.h.
#include "transport/local/local_callers.h"

#include <algorithm>
#include <utility>

namespace opennd::local {
namespace {

constexpr std::size_t kLeastInAll = 48, kMostInAll = 1024;

}  // namespace

// One process gets two thirds: more than a backlog (128 by NDK) for a program's burst, and the others still have room.
LocalCallers::Ceilings LocalCallers::ceilings(std::size_t descriptors) {
    const std::size_t in_all = std::clamp(descriptors / 4, kLeastInAll, kMostInAll);
    return {in_all - in_all / 3, in_all};
}

LocalCallers::Place::Place(Ref<LocalCallers> callers, pid_t process)
    : callers_(std::move(callers)), process_(process) {}

LocalCallers::Place::~Place() { callers_->leave(process_); }

Ref<LocalCallers::Place> LocalCallers::enter(pid_t process, const Ceilings& ceilings) {
    {
        const Held lock(mutex_);
        std::size_t& of_process = by_process_[process];
        if (all_ >= ceilings.in_all || of_process >= ceilings.of_one_process) {
            if (of_process == 0) by_process_.erase(process);
            return nullptr;
        }
        ++of_process;
        ++all_;
    }
    return make_ref<Place>(Ref<LocalCallers>(this), process);
}

void LocalCallers::leave(pid_t process) {
    const Held lock(mutex_);
    --all_;
    const auto found = by_process_.find(process);
    if (--found->second == 0) by_process_.erase(found);
}

}  // namespace opennd::local
