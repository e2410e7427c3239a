// SPDX-License-Identifier: MIT
// A phrase is cut to its room, always terminated, and says that it was cut.
#include "base/phrase.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace opennd {
namespace {

TEST(Phrase, HoldsWhatWasFormatted) {
    const Phrase text = phrase("{} bytes at {:#x}", 17, 0x1000);
    EXPECT_EQ(std::string_view(text), "17 bytes at 0x1000");
    EXPECT_STREQ(text.c_str(), "17 bytes at 0x1000");
}

TEST(Phrase, IsEmptyAtFirst) {
    EXPECT_TRUE(std::string_view(Phrase()).empty());
    EXPECT_STREQ(Phrase().c_str(), "");
}

TEST(Phrase, KeepsExactlyWhatFits) {
    const std::string just(Phrase::kMaxBytes, 'x');
    EXPECT_EQ(std::string_view(phrase("{}", just)), just);
    Phrase assigned;
    assigned = just;
    EXPECT_EQ(std::string_view(assigned), just);
}

TEST(Phrase, SaysThatItWasCut) {
    const std::string longer(Phrase::kMaxBytes + 1, 'x');
    Phrase assigned;
    assigned = longer;
    for (const Phrase& cut : {phrase("{}", longer), assigned}) {
        EXPECT_EQ(std::string_view(cut).size(), Phrase::kMaxBytes);
        EXPECT_EQ(std::strlen(cut.c_str()), Phrase::kMaxBytes);
        EXPECT_TRUE(std::string_view(cut).ends_with("x..."));
    }
}

TEST(Phrase, AShorterTextReplacesALongerOne) {
    Phrase text;
    text = "a longer text";
    text = "short";
    EXPECT_STREQ(text.c_str(), "short");
}

}  // namespace
}  // namespace opennd
