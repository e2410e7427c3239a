// SPDX-License-Identifier: MIT
// Formatted text, beside functions of the same name that a call's arguments bring with them.
#include "base/format.h"

#include <string>

#include <gtest/gtest.h>

namespace other {

// As std::string has std::format from gcc 13 on: an argument of this type has the compiler look into this namespace.
struct Text : std::string {
    using std::string::string;
};

template <std::size_t Bytes>
std::string format(const char (&text)[Bytes], const Text& argument) = delete;

}  // namespace other

namespace opennd {
namespace {

TEST(Format, IsMeantByItsCallsWhateverTheNamespaceOfAnArgumentHas) {
    const other::Text argument = "a text";
    EXPECT_EQ(format("{} and {}", argument, 2), "a text and 2");
    EXPECT_EQ(format("{}", argument), "a text");
}

TEST(Format, TakesNoArguments) { EXPECT_EQ(format("100 {{}}"), "100 {}"); }

}  // namespace
}  // namespace opennd
