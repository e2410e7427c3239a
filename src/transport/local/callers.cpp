// SPDX-License-Identifier: MIT
// Callers: see callers.h.
#include "transport/local/callers.h"

#include <utility>

namespace opennd::local {

Callers::Place::Place(Ref<Callers> callers, pid_t process) : callers_(std::move(callers)), process_(process) {}

Callers::Place::~Place() { callers_->leave(process_); }

Ref<Callers::Place> Callers::enter(pid_t process) {
    {
        const Held lock(mutex_);
        std::size_t& of_process = by_process_[process];
        if (all_ >= kMost || of_process >= kMostOfOneProcess) {
            if (of_process == 0) by_process_.erase(process);
            return nullptr;
        }
        ++of_process;
        ++all_;
    }
    return make_ref<Place>(Ref<Callers>(this), process);
}

void Callers::leave(pid_t process) {
    const Held lock(mutex_);
    --all_;
    const auto found = by_process_.find(process);
    if (--found->second == 0) by_process_.erase(found);
}

}  // namespace opennd::local
