// SPDX-License-Identifier: MIT
// A machine of three states and two rows, and the names in its log.
#include "base/state_machine.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace opennd {
namespace {

enum class Door : std::uint8_t { closed, open, locked };
enum class Hand : std::uint8_t { push, pull };

constexpr std::optional<Door> transition(Door state, Hand event) {
    constexpr auto rows = std::to_array<Transition<Door, Hand>>({
        {Door::closed, Hand::push, Door::open},
        {Door::open, Hand::pull, Door::closed},
    });
    return find_next(rows, state, event);
}

using DoorMachine = StateMachine<Door, Hand>;

static_assert(transition(Door::closed, Hand::push) == Door::open, "a table is known at compile time");
static_assert(enumerator_name(Door::locked) == "locked");
static_assert(enumerator_name(static_cast<Hand>(200)) == "?");
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
    EXPECT_DEBUG_DEATH(door.must_advance(Hand::pull), "door: event pull in state locked");
    EXPECT_EQ(door.state(), Door::locked);
}

}  // namespace
}  // namespace opennd
