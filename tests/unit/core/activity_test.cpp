// SPDX-License-Identifier: MIT
// What happens at an interface is counted by the face that it happens through.
#include "core/adapter/activity.h"

#include <gtest/gtest.h>

namespace opennd {
namespace {

TEST(Activity, CountsByFace) {
    Activity::Place first, second;
    const Ref<Activity> activity = make_ref<Activity>();
    LiveConnection by_nd1, by_ndk;
    by_nd1.face = Face::nd1;
    by_ndk.face = Face::ndk;
    activity->on_transition(first, ConnectorState::accepting, ConnectorEvent::establish, Status::success, by_nd1);
    activity->on_transition(second, ConnectorState::accepting, ConnectorEvent::establish, Status::success, by_ndk);
    activity->on_transition(second, ConnectorState::connected, ConnectorEvent::lose_peer, Status::connection_aborted,
                            by_ndk);
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
