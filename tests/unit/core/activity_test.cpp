// SPDX-License-Identifier: MIT
// What happens at an interface is counted by the face that it happens through.
#include "core/adapter/activity.h"

#include <gtest/gtest.h>

namespace opennd {
namespace {

// A connector of a passive side, which tells each of its transitions.
class Passive {
public:
    Passive(Activity& activity, Face face) : activity_(activity) {
        is_.face = face;
        is_.state = ConnectorState::waiting;
    }

    void goes_through(ConnectorEvent event, Status why = Status::success) {
        const ConnectorState from = is_.state;
        is_.state = *transition(from, event);
        activity_.on_transition(place_, from, event, why, is_);
    }
    void is_accepted() {
        for (const ConnectorEvent event : {ConnectorEvent::request, ConnectorEvent::accept, ConnectorEvent::establish})
            goes_through(event);
    }

private:
    Activity& activity_;
    Activity::Place place_;
    LiveConnection is_;
};

TEST(Activity, CountsByFace) {
    const Ref<Activity> activity = make_ref<Activity>();
    Passive by_nd1(*activity, Face::nd1), by_ndk(*activity, Face::ndk);
    by_nd1.is_accepted();
    by_ndk.is_accepted();
    by_ndk.goes_through(ConnectorEvent::lose_peer, Status::connection_aborted);
    activity->on_queue_error(Face::nd2);
    EXPECT_EQ(activity->counts(Face::nd1).accepts, 1u);
    EXPECT_EQ(activity->counts(Face::nd1).active, 1u);
    EXPECT_EQ(activity->counts(Face::nd1).errors, 0u);
    EXPECT_EQ(activity->counts(Face::ndk).accepts, 1u);
    EXPECT_EQ(activity->counts(Face::ndk).active, 0u);
    EXPECT_EQ(activity->counts(Face::ndk).errors, 1u);
    EXPECT_EQ(activity->counts(Face::nd2).queue_errors, 1u);
    const ActivityCounts all = activity->counts();
    EXPECT_EQ(all.accepts, 2u);
    EXPECT_EQ(all.active, 1u);
    EXPECT_EQ(all.errors, 1u);
    EXPECT_EQ(all.queue_errors, 1u);
}

TEST(Activity, ListsAnAttemptUntilItIsAConnection) {
    const Ref<Activity> activity = make_ref<Activity>();
    Passive connector(*activity, Face::nd2);
    connector.goes_through(ConnectorEvent::request);
    EXPECT_EQ(activity->attempts().size(), 1u);
    connector.goes_through(ConnectorEvent::accept);
    EXPECT_EQ(activity->attempts().size(), 1u);
    EXPECT_TRUE(activity->connections().empty());
    connector.goes_through(ConnectorEvent::establish);
    EXPECT_TRUE(activity->attempts().empty());
    EXPECT_EQ(activity->connections().size(), 1u);
    connector.goes_through(ConnectorEvent::lose_peer, Status::timed_out);
    EXPECT_TRUE(activity->connections().empty());
}

TEST(Activity, KnowsThroughWhichFacesAdaptersWereOpened) {
    const Ref<Activity> activity = make_ref<Activity>();
    EXPECT_TRUE(activity->faces().empty());
    activity->on_open(Face::ndk);
    activity->on_open(Face::nd1);
    activity->on_open(Face::nd1);
    EXPECT_EQ(activity->faces(), (std::vector{Face::nd1, Face::ndk}));
}

}  // namespace
}  // namespace opennd
