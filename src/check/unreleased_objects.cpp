// SPDX-License-Identifier: MIT
// See unreleased_objects.h.
#include "check/unreleased_objects.h"

#include <map>
#include <utility>
#include <vector>

#include "base/phrase.h"

namespace opennd {
namespace {

// "IND2QueuePair" of "N6opennd13IND2QueuePairE" and of "13IND2QueuePair".
std::string_view readable(std::string_view kind) {
    const std::size_t digit = kind.find_first_of("0123456789");
    if (digit != 0 || kind.empty()) return kind;
    return kind.substr(kind.find_first_not_of("0123456789"));
}

}  // namespace

void UnreleasedObjects::add(const void* object, std::string_view kind) {
    const Made made{readable(kind), program_stack()};
    const Held lock(mutex_);
    objects_.insert_or_assign(object, made);
}

std::string_view UnreleasedObjects::remove(const void* object) {
    const Held lock(mutex_);
    const auto gone = objects_.extract(object);
    return gone ? gone.mapped().kind : std::string_view();
}

void UnreleasedObjects::tell(Diagnostics& diagnostics) const {
    struct Group {
        CallStack at;
        std::size_t count = 0;
    };
    std::map<std::pair<std::string_view, std::vector<const void*>>, Group> groups;
    {
        const Held lock(mutex_);
        for (const auto& [object, made] : objects_) {
            Group& group = groups[{made.kind, made.at.return_addresses()}];
            group.at = made.at;
            ++group.count;
        }
    }
    for (const auto& [place, group] : groups)
        diagnostics.tell(
            {CheckRule::leak, place.first,
             group.count == 1 ? phrase("one was not released") : phrase("{} were not released", group.count)},
            {"made at", group.at}, InLog::each_time);  // one place may make several kinds
}

}  // namespace opennd
