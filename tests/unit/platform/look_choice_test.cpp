// SPDX-License-Identifier: MIT
// Whether waits look before they sleep.
#include "platform/thread/look_choice.h"

#include <gtest/gtest.h>

namespace opennd {
namespace {

TEST(WaitLookChoice, LooksUnlessThereIsOneProcessor) {
    EXPECT_FALSE(choice_by_processors(1).looks);
    EXPECT_TRUE(choice_by_processors(2).looks);
    EXPECT_TRUE(choice_by_processors(192).looks);
    EXPECT_EQ(choice_by_processors(2).ground, Ground::processor);
}

TEST(WaitLookChoice, NamesItsSetting) {
    const Choice none = shown(choice_by_processors(1));
    EXPECT_EQ(none.value, "none");
    EXPECT_EQ(none.setting, "OPENND_WAIT_LOOKS");
    EXPECT_NE(shown(choice_by_processors(8)).reason.find("8 processors"), std::string::npos);
}

}  // namespace
}  // namespace opennd
