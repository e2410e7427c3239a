// SPDX-License-Identifier: MIT
// Every cell of the queue pair's table.
#include "model/queue_pair_state.h"

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd {
namespace {

using support::proves;
using State = QueuePairState;
using Event = QueuePairEvent;

TEST(QueuePairState, TransitionsAreThoseOfTheSpecification) {
    proves("ND2-QP-FLUSH-02", "ND2-QP-REL-03");
    EXPECT_EQ(transition(State::idle, Event::attach), State::attached);
    EXPECT_EQ(transition(State::idle, Event::fail), State::error);
    EXPECT_EQ(transition(State::idle, Event::flush), State::idle);
    EXPECT_EQ(transition(State::attached, Event::attach), std::nullopt);
    EXPECT_EQ(transition(State::attached, Event::fail), State::error);
    EXPECT_EQ(transition(State::attached, Event::flush), State::error);
    EXPECT_EQ(transition(State::error, Event::attach), std::nullopt);
    EXPECT_EQ(transition(State::error, Event::fail), State::error);
    EXPECT_EQ(transition(State::error, Event::flush), State::error);
}

}  // namespace
}  // namespace opennd
