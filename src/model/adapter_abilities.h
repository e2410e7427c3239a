// SPDX-License-Identifier: MIT
// The limits and traits of an adapter together, and the same as a profile leaves them (docs/profiles.md).
#pragma once

#include <string>

#include "model/adapter_traits.h"
#include "model/limits.h"

namespace opennd {

struct AdapterAbilities {
    AdapterLimits limits;
    AdapterTraits traits;
};

// The abilities that a named kind of NIC leaves an adapter at most. A new one takes nothing.
struct Profile {
    Profile();

    std::string label;  // as explanations name it: "profile cxgb4"
    AdapterAbilities most;
    bool strict_overrun = false;     // OverrunRule::strict, unless the program chooses
    bool completes_locally = false;  // a Send or Write over iWARP is complete when TCP has it
};

// The smaller of both in each limit, and what both can.
AdapterAbilities lowered(const AdapterAbilities& own, const AdapterAbilities& most);

// A profile that an adapter has, and the abilities that the adapter would have without one.
struct AppliedProfile {
    std::string label;
    AdapterAbilities own;
};

}  // namespace opennd
