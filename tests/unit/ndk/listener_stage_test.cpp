// SPDX-License-Identifier: MIT
// The table of an NDK listener's stages: every pair of stage and event.
#include "ndk/connection/listener.h"

#include <gtest/gtest.h>

#include <string_view>

#include "support/requirement.h"
#include "support/state_table.h"

namespace opennd {
namespace {

using support::next_letters;
using support::proves;

TEST(ListenerStage, ChangesAsTheSpecificationSays) {
    proves("NDK-GEN-17", "NDK-LIS-01");
    using On = ListenerStageEvent;
    // Idle Opening Listening
    constexpr std::string_view kLetters = "IOL";
    static_assert(kLetters.size() == kListenerStages);
    struct Row {
        On event;
        std::string_view next;  // for I O L
    };
    const Row rows[] = {{On::listen, "O.."}, {On::succeed, ".L."}, {On::fail, ".I."}};
    ASSERT_EQ(std::size(rows), kListenerStageEvents);
    for (const Row& row : rows)
        EXPECT_EQ(next_letters<ListenerStage>(row.event, kLetters), row.next)
            << "event " << static_cast<int>(row.event);
}

}  // namespace
}  // namespace opennd
