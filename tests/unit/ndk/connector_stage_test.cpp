// SPDX-License-Identifier: MIT
// The table of an NDK connector's stages: every pair of stage and event.
#include "ndk/connection/connector_stage.h"

#include <gtest/gtest.h>

#include <string_view>

#include "support/requirement.h"
#include "support/state_table.h"

namespace opennd {
namespace {

using support::next_letters;
using support::proves;

TEST(ConnectorStage, ChangesAsTheSpecificationSays) {
    proves("NDK-CON-CONN-05", "NDK-CON-CC-02", "NDK-CON-REJ-02", "NDK-CON-DISC-04", "NDK-CON-EVT-01", "NDK-CON-EVT-03");
    using On = StageEvent;
    // Idle cOnnecting Replied Completing incoming(Q) Accepting connected(K) Noticed Disconnecting Expired over(X)
    constexpr std::string_view kLetters = "IORCQAKNDEX";
    static_assert(kLetters.size() == kConnectorStages);
    struct Row {
        On event;
        std::string_view next;  // for I O R C Q A K N D E X
    };
    const Row rows[] = {
        {On::connect, "O.........."},    {On::reply, ".R........."},    {On::complete, "..C........"},
        {On::expire, "..E........"},     {On::accept, "....A......"},   {On::establish, "...K.K....."},
        {On::fail, ".I.X.X....."},       {On::reject, "..X.X......"},   {On::notice, "......N...."},
        {On::disconnect, "......DD..."}, {On::withdraw, ".....Q..N.."}, {On::end, "..X.X.XXX.."},
    };
    ASSERT_EQ(std::size(rows), kStageEvents);
    for (const Row& row : rows)
        EXPECT_EQ(next_letters<ConnectorStage>(row.event, kLetters), row.next)
            << "event " << static_cast<int>(row.event);
}

TEST(ConnectorStage, HasANameForEachStage) {
    for (std::size_t i = 0; i < kConnectorStages; ++i) EXPECT_FALSE(name(static_cast<ConnectorStage>(i)).empty());
}

}  // namespace
}  // namespace opennd
