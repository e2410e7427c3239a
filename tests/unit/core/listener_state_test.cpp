// SPDX-License-Identifier: MIT
// Every cell of the listener's tables.
#include "core/listener_state.h"

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd {
namespace {

using support::proves;
using State = ListenerState;

TEST(ListenerState, TransitionsAreThoseOfTheSpecification) {
    EXPECT_EQ(transition(State::idle, ListenerEvent::bind), State::bound);
    EXPECT_EQ(transition(State::bound, ListenerEvent::listen), State::listening);
    for (const State state : {State::idle, State::bound, State::listening})
        EXPECT_EQ(transition(state, ListenerEvent::close), State::closed);
    for (const State state : {State::bound, State::listening, State::closed})
        EXPECT_EQ(transition(state, ListenerEvent::bind), std::nullopt);
    for (const State state : {State::idle, State::listening, State::closed})
        EXPECT_EQ(transition(state, ListenerEvent::listen), std::nullopt);
    EXPECT_EQ(transition(State::closed, ListenerEvent::close), std::nullopt);
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
