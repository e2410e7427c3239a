// SPDX-License-Identifier: MIT
// Every cell of the listener's tables.
#include "core/state/listener_state.h"

#include <gtest/gtest.h>

#include <string_view>

#include "support/requirement.h"
#include "support/state_table.h"

namespace opennd {
namespace {

using support::next_letters;
using support::proves;
using State = ListenerState;

TEST(ListenerState, TransitionsAreThoseOfTheSpecification) {
    proves("ND2-LIS-LIST-01", "ND2-LIS-REL-01");
    constexpr std::string_view kLetters = "IBLX";  // Idle Bound Listening closed(X)
    static_assert(kLetters.size() == kListenerStates && kListenerEvents == 4);
    EXPECT_EQ(next_letters<State>(ListenerEvent::bind, kLetters), "B...");
    EXPECT_EQ(next_letters<State>(ListenerEvent::listen, kLetters), ".L..");
    EXPECT_EQ(next_letters<State>(ListenerEvent::refuse, kLetters), "..B.");
    EXPECT_EQ(next_letters<State>(ListenerEvent::close, kLetters), "XXXX");
}

TEST(ListenerState, MethodsAreAllowedWhereTheSpecificationSays) {
    proves("ND2-LIS-BIND-01", "ND2-LIS-LIST-01", "ND2-LIS-ADDR-01", "ND2-LIS-REQ-02");
    using Method = ListenerMethod;
    struct Row {
        Method method;
        Status idle, bound, listening, closed;
    };
    const Row rows[] = {
        {Method::bind, Status::success, Status::address_bound, Status::address_bound, Status::address_bound},
        {Method::listen, Status::address_not_bound, Status::success, Status::invalid_state, Status::invalid_state},
        {Method::get_local_address, Status::invalid_state, Status::success, Status::success, Status::invalid_state},
        {Method::get_connection_request, Status::invalid_state, Status::invalid_state, Status::success,
         Status::invalid_state},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(check(row.method, State::idle), row.idle);
        EXPECT_EQ(check(row.method, State::bound), row.bound);
        EXPECT_EQ(check(row.method, State::listening), row.listening);
        EXPECT_EQ(check(row.method, State::closed), row.closed);
    }
}

}  // namespace
}  // namespace opennd
