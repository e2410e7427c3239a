// SPDX-License-Identifier: MIT
//
// proves(): records in the test report which requirements the running test is evidence for. One attribute named
// "requirement" holds all of them, separated by spaces; the ids are those of docs/requirements.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace opennd::support {

template <typename... Ids>
void proves(Ids... ids) {
    std::string joined;
    for (std::string_view id : std::initializer_list<std::string_view>{ids...}) {
        if (!joined.empty()) joined += ' ';
        joined += id;
    }
    testing::Test::RecordProperty("requirement", joined);
}

}  // namespace opennd::support
