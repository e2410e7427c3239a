// SPDX-License-Identifier: MIT
// The table of a memory region's states: every pair of state and event.
#include "core/memory/memory_region.h"

#include <gtest/gtest.h>

#include <string_view>

#include "support/requirement.h"
#include "support/state_table.h"

namespace opennd {
namespace {

using support::next_letters;
using support::proves;

TEST(RegistrationState, ChangesAsTheSpecificationSays) {
    proves("ND2-MR-REG-06", "ND2-MR-DEREG-01");
    using Event = RegistrationEvent;
    // Empty registeriNg Registered Deregistering
    constexpr std::string_view kLetters = "ENRD";
    static_assert(kLetters.size() == kRegistrationStates);
    struct Row {
        Event event;
        std::string_view next;  // for E N R D
    };
    const Row rows[] = {{Event::begin, "N..."},
                        {Event::establish, ".R.."},
                        {Event::fail, ".E.."},
                        {Event::end, "..D."},
                        {Event::rest, "...E"}};
    ASSERT_EQ(std::size(rows), kRegistrationEvents);
    for (const Row& row : rows)
        EXPECT_EQ(next_letters<RegistrationState>(row.event, kLetters), row.next)
            << "event " << static_cast<int>(row.event);
}

}  // namespace
}  // namespace opennd
