// SPDX-License-Identifier: MIT
// A machine of three states and two rows.
#include "base/state_machine.h"

#include <gtest/gtest.h>

namespace opennd {
namespace {

enum class Door { closed, open, locked };
enum class Hand { push, pull };

constexpr std::optional<Door> transition(Door state, Hand event) {
    constexpr auto rows = std::to_array<Transition<Door, Hand>>({
        {Door::closed, Hand::push, Door::open},
        {Door::open, Hand::pull, Door::closed},
    });
    return find_next(rows, state, event);
}

using DoorMachine = StateMachine<Door, Hand>;

static_assert(transition(Door::closed, Hand::push) == Door::open, "a table is known at compile time");
static_assert(!std::is_copy_assignable_v<DoorMachine>, "a state changes by its table alone");

TEST(StateMachine, FollowsItsRows) {
    DoorMachine door("door", Door::closed);
    EXPECT_TRUE(door.advance(Hand::push));
    EXPECT_TRUE(door == Door::open);
    door.must_advance(Hand::pull);
    EXPECT_EQ(door.state(), Door::closed);
}

TEST(StateMachine, StaysWhereItsTableHasNoRow) {
    DoorMachine door("door", Door::locked);
    EXPECT_FALSE(door.advance(Hand::push));
    EXPECT_FALSE(door.advance(Hand::pull));
    EXPECT_EQ(door.state(), Door::locked);
}

TEST(StateMachine, ReportsAnEventThatWasSureToBeAllowed) {
    DoorMachine door("door", Door::locked);
    EXPECT_DEBUG_DEATH(door.must_advance(Hand::pull), "door: event 1 in state 2");
    EXPECT_EQ(door.state(), Door::locked);
}

}  // namespace
}  // namespace opennd
