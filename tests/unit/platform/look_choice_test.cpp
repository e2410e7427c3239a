// SPDX-License-Identifier: MIT
// Whether threads look before they sleep, by the number of processors.
#include "platform/thread/look_choice.h"

#include <gtest/gtest.h>

#include "platform/host/host.h"

namespace opennd {
namespace {

TEST(LookChoice, DoesNotLookOnOneProcessor) {
    const Choice choice = shown(choice_by_processors(1));
    EXPECT_EQ(choice.value, "none");
    EXPECT_EQ(choice.ground, Ground::processor);
    EXPECT_EQ(choice.reason, "the only processor is the peer's too, if the peer is on this host");
}

TEST(LookChoice, LooksOnSeveral) {
    const Choice choice = shown(choice_by_processors(2));
    EXPECT_EQ(choice.value, "for 50 us at most");
    EXPECT_EQ(choice.reason, "2 processors: one may look while the peer runs on another");
    EXPECT_EQ(choice.setting, "OPENND_LOOKS");
    EXPECT_TRUE(choice_by_processors(192).looks);
}

TEST(LookChoice, IsMadeOnceAProcess) {
    const LookChoice& choice = look_choice();
    EXPECT_EQ(choice.looks, online_processors() > 1);
    pin_looks(!choice.looks);
    EXPECT_EQ(&look_choice(), &choice);
}

}  // namespace
}  // namespace opennd
