// SPDX-License-Identifier: MIT
// The tables of a connection's states: every pair of state and event.
#include "transport/soft/connection/connection_state.h"

#include <gtest/gtest.h>

#include <string_view>

#include "support/requirement.h"
#include "support/state_table.h"

namespace opennd::soft {
namespace {

using support::next_letters;
using support::proves;

TEST(ConnectionState, ChangesAsTheHandshakesGo) {
    proves("IW-CM-06", "IW-CM-10", "IW-CM-15", "IW-CM-17", "ND2-CON-CONN-07", "ND2-CON-CMPL-02");
    using Event = ConnectionEvent;
    constexpr std::string_view kLetters =
        "IDQRWPAEX";  // idle Dialing reQuesting Replied aWaiting requested(P) Accepting Established ended(X)
    static_assert(kLetters.size() == kConnectionStates);
    struct Row {
        Event event;
        std::string_view next;  // for I D Q R W P A E X
    };
    const Row rows[] = {
        {Event::dial, "D.D......"},   {Event::ask, "QQ......."},      {Event::defer, "..I......"},
        {Event::reply, "..R......"},  {Event::complete, "...E....."}, {Event::request, "....P...."},
        {Event::accept, ".....A..."}, {Event::open, "......E.."},     {Event::end, "XXXXXXXX."},
    };
    ASSERT_EQ(std::size(rows), kConnectionEvents);
    for (const Row& row : rows)
        EXPECT_EQ(next_letters<ConnectionState>(row.event, kLetters), row.next)
            << "event " << static_cast<int>(row.event);
}

TEST(GracefulEndState, IsOverOnceAndOnlyAfterItHasBegun) {
    proves("NDK-CON-DISC-01", "NDK-CON-DISC-03");
    constexpr std::string_view kLetters = "NDTO";  // None Draining Told Over
    static_assert(kLetters.size() == kGracefulEnds && kGracefulEvents == 3);
    EXPECT_EQ(next_letters<GracefulEnd>(GracefulEvent::begin, kLetters), "D...");
    EXPECT_EQ(next_letters<GracefulEnd>(GracefulEvent::tell, kLetters), ".T..");
    EXPECT_EQ(next_letters<GracefulEnd>(GracefulEvent::finish, kLetters), ".OO.");
}

}  // namespace
}  // namespace opennd::soft
