// SPDX-License-Identifier: MIT
// Every pair of a state and an event, and what each event of rdma_cm means.
#include "transport/verbs/connection/cm_state.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace opennd::verbs {
namespace {

using State = CmState;
using Event = CmInput;

constexpr int kCmEvents = RDMA_CM_EVENT_TIMEWAIT_EXIT + 1;

template <typename F>
void for_each_state(F function) {
    for (std::size_t i = 0; i < kCmStates; ++i) function(static_cast<State>(i));
}

TEST(CmStateTest, ChangesByItsTableAlone) {
    const std::set<std::tuple<State, Event, State>> allowed{
        {State::finding_address, Event::address, State::finding_route},
        {State::finding_route, Event::route, State::requesting},
        {State::requesting, Event::reply, State::replied},
        {State::replied, Event::complete, State::established},
        {State::requested, Event::accept, State::accepting},
        {State::accepting, Event::open, State::established},
        {State::established, Event::hear_end, State::peer_told},
        {State::draining, Event::hear_end, State::answering},
        {State::peer_told, Event::begin_end, State::answering},
        {State::established, Event::begin_end, State::draining},
        {State::draining, Event::tell, State::told},
        {State::answering, Event::tell, State::ended},
        {State::finding_address, Event::fail, State::ended},
        {State::finding_route, Event::fail, State::ended},
        {State::requesting, Event::fail, State::ended},
        {State::replied, Event::give_up, State::ended},
        {State::requested, Event::give_up, State::ended},
        {State::accepting, Event::give_up, State::ended},
        {State::accepting, Event::peer_end, State::ended},
        {State::established, Event::peer_end, State::ended},
        {State::draining, Event::peer_end, State::ended},
        {State::told, Event::peer_end, State::ended}};
    for_each_state([&](State state) {
        for (std::size_t i = 0; i < kConnectionEvents; ++i) {
            const auto event = static_cast<Event>(i);
            const std::optional<State> next = transition(state, event);
            const bool ends = event == Event::end || event == Event::remove;
            if (state == State::ended)
                EXPECT_FALSE(next.has_value());
            else if (ends)
                EXPECT_EQ(next, State::ended);
            else
                EXPECT_TRUE(!next || allowed.contains({state, event, *next})) << static_cast<int>(state) << " " << i;
        }
    });
    for (const auto& [state, event, next] : allowed) EXPECT_EQ(transition(state, event), next);
}

// Each meaning is an event that the state has a row for, so that a handler may rely on it.
TEST(CmStateTest, GivesNoEventAMeaningThatItsStateDoesNotAllow) {
    for_each_state([](State state) {
        for (int type = 0; type < kCmEvents; ++type)
            for (const Fabric fabric : {Fabric::infiniband, Fabric::iwarp}) {
                const auto event = meaning(state, static_cast<rdma_cm_event_type>(type), fabric);
                EXPECT_TRUE(!event || transition(state, *event)) << static_cast<int>(state) << " " << type;
            }
    });
}

TEST(CmStateTest, EndsInEveryStateWhenTheDeviceIsRemoved) {
    for_each_state([](State state) {
        for (const Fabric fabric : {Fabric::infiniband, Fabric::iwarp}) {
            const auto event = meaning(state, RDMA_CM_EVENT_DEVICE_REMOVAL, fabric);
            EXPECT_EQ(event.has_value(), state != State::ended);
        }
    });
}

TEST(CmStateTest, IgnoresTheEndOfTimewait) {
    for_each_state([](State state) {
        EXPECT_FALSE(meaning(state, RDMA_CM_EVENT_TIMEWAIT_EXIT, Fabric::infiniband));
        EXPECT_FALSE(meaning(state, RDMA_CM_EVENT_TIMEWAIT_EXIT, Fabric::iwarp));
    });
}

TEST(CmStateTest, GoesOnWhereABondChangesItsLink) {
    for_each_state([](State state) {
        EXPECT_FALSE(meaning(state, RDMA_CM_EVENT_ADDR_CHANGE, Fabric::infiniband));
        EXPECT_FALSE(meaning(state, RDMA_CM_EVENT_ADDR_CHANGE, Fabric::iwarp));
    });
}

TEST(CmStateTest, HearsAReplyByAnotherEventOnIwarp) {
    EXPECT_EQ(meaning(State::requesting, RDMA_CM_EVENT_CONNECT_RESPONSE, Fabric::infiniband), Event::reply);
    EXPECT_FALSE(meaning(State::requesting, RDMA_CM_EVENT_ESTABLISHED, Fabric::infiniband));
    EXPECT_EQ(meaning(State::requesting, RDMA_CM_EVENT_ESTABLISHED, Fabric::iwarp), Event::reply);
    EXPECT_FALSE(meaning(State::requesting, RDMA_CM_EVENT_CONNECT_RESPONSE, Fabric::iwarp));
}

TEST(CmStateTest, KnowsAHalfCloseOnInfiniBandAlone) {
    EXPECT_EQ(meaning(State::established, RDMA_CM_EVENT_DISCONNECTED, Fabric::infiniband), Event::hear_end);
    EXPECT_EQ(meaning(State::established, RDMA_CM_EVENT_DISCONNECTED, Fabric::iwarp), Event::peer_end);
    EXPECT_EQ(meaning(State::draining, RDMA_CM_EVENT_DISCONNECTED, Fabric::infiniband), Event::hear_end);
    EXPECT_EQ(meaning(State::draining, RDMA_CM_EVENT_DISCONNECTED, Fabric::iwarp), Event::peer_end);
    EXPECT_FALSE(meaning(State::peer_told, RDMA_CM_EVENT_DISCONNECTED, Fabric::infiniband));
}

TEST(CmStateTest, TellsAPeerThatCompletedAndEndedFromOneThatGaveUp) {
    EXPECT_EQ(meaning(State::accepting, RDMA_CM_EVENT_DISCONNECTED, Fabric::infiniband), Event::peer_end);
    EXPECT_EQ(meaning(State::accepting, RDMA_CM_EVENT_REJECTED, Fabric::infiniband), Event::give_up);
}

}  // namespace
}  // namespace opennd::verbs
