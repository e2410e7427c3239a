// SPDX-License-Identifier: MIT
// Every Status has a name of its own.
#include "base/status.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string_view>

namespace opennd {
namespace {

TEST(Status, EveryOneHasANameOfItsOwn) {
    std::set<std::string_view> names;
    for (int value = 0; value <= static_cast<int>(kLastStatus); ++value) {
        const std::string_view text = name(static_cast<Status>(value));
        EXPECT_FALSE(text.empty()) << value;
        for (const char letter : text) EXPECT_TRUE(std::islower(letter) || letter == '_') << text;
        names.insert(text);
    }
    EXPECT_EQ(names.size(), static_cast<std::size_t>(kLastStatus) + 1);
}

TEST(Status, IsSpelledAsInTheEnum) {
    EXPECT_EQ(name(Status::success), "success");
    EXPECT_EQ(name(Status::access_violation), "access_violation");
    EXPECT_EQ(name(Status::internal_error), "internal_error");
}

TEST(Status, OnlySuccessIsOk) {
    for (int value = 0; value <= static_cast<int>(kLastStatus); ++value)
        EXPECT_EQ(ok(static_cast<Status>(value)), value == static_cast<int>(Status::success));
}

}  // namespace
}  // namespace opennd
