// SPDX-License-Identifier: MIT
// The table of a connection's states: every pair of state and event.
#include "transport/iwarp/handshake/connection_state.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "support/requirement.h"

namespace opennd::iwarp {
namespace {

using support::proves;
using enum ConnectionState;

TEST(ConnectionState, ChangesAsTheHandshakesGo) {
    proves("IW-CM-06", "IW-CM-10", "IW-CM-15", "IW-CM-17");
    using Event = ConnectionEvent;
    const std::map<std::pair<ConnectionState, Event>, ConnectionState> allowed{
        {{idle, Event::dial}, dialing},
        {{dialing, Event::connected}, requesting},
        {{requesting, Event::dial}, dialing},
        {{requesting, Event::reply}, replied},
        {{replied, Event::complete}, established},
        {{awaiting, Event::request}, requested},
        {{requested, Event::accept}, accepting},
        {{accepting, Event::open}, established},
    };
    for (std::size_t s = 0; s < kConnectionStates; ++s) {
        for (std::size_t e = 0; e < kConnectionEvents; ++e) {
            const auto state = static_cast<ConnectionState>(s);
            const auto event = static_cast<Event>(e);
            SCOPED_TRACE(testing::Message() << "state " << s << ", event " << e);
            const auto next = transition(state, event);
            if (event == Event::end) {
                EXPECT_EQ(next, ended);
                continue;
            }
            const auto found = allowed.find({state, event});
            ASSERT_EQ(next.has_value(), found != allowed.end());
            if (next) {
                EXPECT_EQ(*next, found->second);
            }
        }
    }
}

}  // namespace
}  // namespace opennd::iwarp
