// SPDX-License-Identifier: MIT
// The abilities of a software adapter without a profile.
#pragma once

#include "model/adapter_abilities.h"

namespace opennd::soft {

const AdapterAbilities& own_abilities();

}  // namespace opennd::soft
