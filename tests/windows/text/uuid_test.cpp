// SPDX-License-Identifier: MIT
// UUIDs: compared, made.
#include <gtest/gtest.h>
#include <rpc.h>
#include <windows.h>

namespace opennd {
namespace {

TEST(Uuids, AreOrderedByTheirNumbersThenTheirBytes) {
    RPC_STATUS status = 1;
    UUID low = {1, 0xFFFF, 0, {0}};
    UUID high = {0x80000000, 0, 0, {0}};
    EXPECT_EQ(UuidCompare(&low, &high, &status), -1) << "numbers without a sign";
    EXPECT_EQ(status, RPC_S_OK);
    EXPECT_EQ(UuidCompare(&high, &low, &status), 1);
    UUID later = low;
    later.Data4[7] = 0xFF;
    EXPECT_EQ(UuidCompare(&low, &later, &status), -1);
    EXPECT_EQ(UuidCompare(&low, &low, &status), 0);
    EXPECT_EQ(UuidCompare(nullptr, &low, &status), -1) << "NULL is that of nothing";
    EXPECT_EQ(UuidCompare(nullptr, nullptr, &status), 0);
    EXPECT_TRUE(UuidEqual(&low, &low, &status));
    EXPECT_FALSE(UuidEqual(&low, &later, &status));
    UUID nil;
    EXPECT_EQ(UuidCreateNil(&nil), RPC_S_OK);
    EXPECT_TRUE(UuidIsNil(&nil, &status));
    EXPECT_EQ(UuidHash(&low, &status), UuidHash(&low, &status));
}

TEST(Uuids, AreMadeOutOfRandomBits) {
    UUID one, other;
    EXPECT_EQ(UuidCreate(&one), RPC_S_OK);
    EXPECT_EQ(UuidCreate(&other), RPC_S_OK);
    EXPECT_NE(one, other);
    EXPECT_EQ(one.Data3 >> 12, 4) << "RFC 9562: version 4";
    EXPECT_EQ(one.Data4[0] >> 6, 2) << "and its variant";
}

}  // namespace
}  // namespace opennd
