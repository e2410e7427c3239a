// SPDX-License-Identifier: MIT
//
// Private data as they arrive: exactly as passed, or with zeros behind where the device pads them (ND2-AMB-28).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/vocabulary/driver.h"
#include "support/tested_device.h"

namespace opennd::conformance {

inline testing::AssertionResult carries(const PrivateData& seen, const PrivateData& passed) {
    if (seen.size() < passed.size() || !std::equal(passed.begin(), passed.end(), seen.begin()))
        return testing::AssertionFailure() << seen.size() << " octets that do not begin with the " << passed.size();
    if (seen.size() == passed.size()) return testing::AssertionSuccess();
    if (!support::lacks(support::Ability::exact_private_data))
        return testing::AssertionFailure() << seen.size() << " octets, not " << passed.size();
    const bool zeros = std::all_of(seen.begin() + static_cast<std::ptrdiff_t>(passed.size()), seen.end(),
                                   [](std::byte octet) { return octet == std::byte{}; });
    return zeros ? testing::AssertionSuccess() : testing::AssertionFailure() << "octets behind the data";
}

}  // namespace opennd::conformance
