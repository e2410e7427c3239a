// SPDX-License-Identifier: MIT
//
// The settings of NDK adapters: valid ones take effect, misspelt ones do not.
#include "ndk/device/settings.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/requirement.h"

namespace opennd {
namespace {

using std::chrono::milliseconds;
using support::proves;

class NdkSettingsTest : public testing::Test {
protected:
    static NdkSettings with(const char* value) {
        ::setenv("OPENND_NDK_CONNECT_MS", value, 1);
        const NdkSettings settings = NdkSettings::from_environment();
        ::unsetenv("OPENND_NDK_CONNECT_MS");
        return settings;
    }
};

TEST_F(NdkSettingsTest, AreUsualUnlessSet) {
    proves("NDK-CON-CONN-06", "NDK-CON-DISC-04", "NDK-GEN-16", "NDK-STAT-21");
    const NdkSettings usual = NdkSettings::from_environment();
    EXPECT_EQ(usual.set_up, milliseconds(15'000));
    EXPECT_EQ(usual.answer, milliseconds(5'000));
    EXPECT_EQ(usual.naming, milliseconds(5'000));
    EXPECT_EQ(usual.grace, milliseconds(5'000));
    EXPECT_EQ(with("2500").set_up, milliseconds(2500));
    EXPECT_EQ(with("2500").answer, milliseconds(5'000));
}

TEST_F(NdkSettingsTest, StayUsualIfMisspelt) {
    for (const char* text : {"", "99", "3600001", "-200", "200ms", "soon"})
        EXPECT_EQ(with(text).set_up, milliseconds(15'000)) << text;
}

TEST(NdkDisabledInterfaces, AreThoseThatTheListNames) {
    proves("NDK-STAT-22");
    EXPECT_FALSE(NdkSettings::disable("eth0"));
    const auto disabled_by = [](const char* list) {
        ::setenv("OPENND_NDK_DISABLED", list, 1);
        const bool disabled = NdkSettings::disable("eth0");
        ::unsetenv("OPENND_NDK_DISABLED");
        return disabled;
    };
    for (const char* list : {"eth0", "lo,eth0", " eth0 ,lo", "lo, eth0 ", ",eth0,"})
        EXPECT_TRUE(disabled_by(list)) << list;
    for (const char* list : {"", ",", " ", "eth", "eth00", "eth0.1", "lo;eth0", "eth 0"})
        EXPECT_FALSE(disabled_by(list)) << list;
}

}  // namespace
}  // namespace opennd
