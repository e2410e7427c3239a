// SPDX-License-Identifier: MIT
// See released_objects.h.
#include "check/released_objects.h"

#include <optional>

#include "base/format.h"
#include "base/phrase.h"

namespace opennd {

void ReleasedObjects::add(const void* object, std::string_view kind) {
    const Released released{kind, program_stack()};
    const Held lock(mutex_);
    in_order_.push_back(object);
    objects_.insert_or_assign(object, released);
    while (in_order_.size() > kMost) {
        objects_.erase(in_order_.front());
        in_order_.pop_front();
    }
}

void ReleasedObjects::forget(const void* object) {
    const Held lock(mutex_);
    objects_.erase(object);
}

void ReleasedObjects::tell_use(const void* object, std::string_view method, Diagnostics& diagnostics) const {
    Released released{"object", {}};
    {
        const Held lock(mutex_);
        if (const auto found = objects_.find(object); found != objects_.end()) released = found->second;
    }
    const std::string place = stack_text(released.at, 2);
    diagnostics.tell(
        {CheckRule::after_release, phrase("{} {}", released.kind, object),
         format("{} after the last Release, which was {}{}", method, place.empty() ? "by OpenND" : "at ", place)},
        CallSite::here());
}

}  // namespace opennd
