// SPDX-License-Identifier: MIT
//
// Addresses read from text, and as text again.
#include "model/address.h"

#include <gtest/gtest.h>

namespace opennd {
namespace {

TEST(Address, IsReadFromText) {
    for (const char* text : {"192.0.2.1", "127.0.0.1", "0.0.0.0"}) {
        const std::optional<Address> address = Address::parse(text);
        ASSERT_TRUE(address) << text;
        EXPECT_EQ(address->text(false), text);
        EXPECT_EQ(address->port(), 0);
    }
    for (const char* text : {"2001:db8::1", "::1", "::"}) {
        const std::optional<Address> address = Address::parse(text);
        ASSERT_TRUE(address) << text;
        EXPECT_TRUE(address->is_ipv6());
        EXPECT_NE(address->text(false).find(text), std::string::npos);
    }
}

TEST(Address, IsNotReadFromAnythingElse) {
    for (const char* text : {"", "192.0.2", "192.0.2.256", "localhost", "192.0.2.1:80", "[::1]", "fe80::1%lo", " ::1"})
        EXPECT_FALSE(Address::parse(text)) << text;
}

}  // namespace
}  // namespace opennd
