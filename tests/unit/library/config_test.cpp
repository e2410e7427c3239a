// SPDX-License-Identifier: MIT
#include "library/settings/settings.h"

#include <gtest/gtest.h>

namespace opennd {
namespace {

using Names = std::vector<std::string>;

const Names kAvailable{"loopback", "shm", "iwarp"};

TEST(Config, TakesTransportsInTheOrderNamed) {
    EXPECT_EQ(choose_transports("shm, loopback", kAvailable, kAvailable).value(), (Names{"shm", "loopback"}));
    EXPECT_EQ(choose_transports("shm,shm,", kAvailable, kAvailable).value(), Names{"shm"});
}

TEST(Config, TakesAllWhenNoneIsNamed) {
    EXPECT_EQ(choose_transports("", kAvailable, kAvailable).value(), kAvailable);
    EXPECT_EQ(choose_transports("", kAvailable, std::span(kAvailable).subspan(1)).value(),
              Names(kAvailable.begin() + 1, kAvailable.end()));
    EXPECT_EQ(choose_transports("^shm", kAvailable, kAvailable).value(), (Names{"loopback", "iwarp"}));
    EXPECT_EQ(choose_transports("iwarp,shm,^shm", kAvailable, kAvailable).value(), Names{"iwarp"});
}

TEST(Config, RefusesUnknownNamesAndEmptyChoices) {
    EXPECT_EQ(choose_transports("ib", kAvailable, kAvailable).status(), Status::invalid_parameter);
    EXPECT_EQ(choose_transports("^", kAvailable, kAvailable).status(), Status::invalid_parameter);
    EXPECT_EQ(choose_transports("^loopback,^shm,^iwarp", kAvailable, kAvailable).status(), Status::invalid_parameter);
}

TEST(Config, IsForgivingUnlessToldToBeStrict) {
    EXPECT_EQ(choose_overrun_rule("").value(), OverrunRule::forgiving);
    EXPECT_EQ(choose_overrun_rule("forgiving").value(), OverrunRule::forgiving);
    EXPECT_EQ(choose_overrun_rule("strict").value(), OverrunRule::strict);
    EXPECT_EQ(choose_overrun_rule("Strict").status(), Status::invalid_parameter);
}

}  // namespace
}  // namespace opennd
