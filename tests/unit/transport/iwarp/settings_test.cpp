// SPDX-License-Identifier: MIT
// The environment's settings of iWARP, valid and invalid.
#include "transport/iwarp/settings.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/log.h"
#include "support/requirement.h"

namespace opennd::iwarp {
namespace {

using std::chrono::milliseconds;
using support::proves;

class SettingsTest : public testing::Test {
protected:
    void SetUp() override { set_log_sink(&keep, &lines_, LogLevel::error); }
    void TearDown() override {
        set_log_sink(nullptr, nullptr, LogLevel::error);
        for (const char* variable : set_) ::unsetenv(variable);
    }

    Settings with(const char* variable, const char* value) {
        ::setenv(variable, value, 1);
        set_.push_back(variable);
        return Settings::from_environment();
    }
    // The complaint about the newest one; empty if there was none.
    std::string complaint() { return std::exchange(lines_, {}); }

private:
    static void keep(void* context, LogLevel, const char* message) { *static_cast<std::string*>(context) = message; }

    std::string lines_;
    std::vector<const char*> set_;
};

TEST_F(SettingsTest, HaveTheDefaultsOfTheSpecification) {
    proves("IW-SEC-25", "IW-CM-02", "IW-CM-11", "IW-CM-19");
    const Settings settings = Settings::from_environment();
    EXPECT_EQ(settings.crc, Crc::on);
    EXPECT_EQ(settings.completion, Completion::automatic);
    EXPECT_EQ(settings.revisions, Revisions::automatic);
    EXPECT_EQ(settings.open_at, OpenAt::complete_connect);
    EXPECT_EQ(settings.tcp.dead_after, milliseconds(30'000));
    EXPECT_EQ(settings.patience, milliseconds(120'000));
    EXPECT_EQ(settings.idle, milliseconds(0)) << "no limit";
    EXPECT_EQ(complaint(), "");
}

TEST_F(SettingsTest, AreWhatTheEnvironmentSays) {
    EXPECT_EQ(with("OPENND_IWARP_CRC", "off").crc, Crc::off);
    EXPECT_EQ(with("OPENND_IWARP_COMPLETION", "fenced").completion, Completion::fenced);
    EXPECT_EQ(with("OPENND_IWARP_COMPLETION", "local").completion, Completion::local);
    EXPECT_EQ(with("OPENND_IWARP_REVISION", "2").revisions, Revisions::two);
    EXPECT_EQ(with("OPENND_IWARP_REVISION", "1").revisions, Revisions::one);
    EXPECT_EQ(with("OPENND_IWARP_OPEN_AT", "reply").open_at, OpenAt::reply);
    EXPECT_EQ(with("OPENND_IWARP_DEAD_MS", "1000").tcp.dead_after, milliseconds(1000));
    EXPECT_EQ(with("OPENND_IWARP_PATIENCE_MS", "0").patience, milliseconds(0));
    EXPECT_EQ(with("OPENND_IWARP_IDLE_MS", "3600000").idle, milliseconds(3'600'000));
    EXPECT_EQ(complaint(), "");
}

TEST_F(SettingsTest, StayAsTheyAreForWhatIsMisspelt) {
    EXPECT_EQ(with("OPENND_IWARP_REVISION", "3").revisions, Revisions::automatic);
    EXPECT_EQ(complaint(), "OPENND_IWARP_REVISION is \"3\": expected auto or 2 or 1; using auto");
    EXPECT_EQ(with("OPENND_IWARP_REVISION", "").revisions, Revisions::automatic);
    EXPECT_EQ(complaint(), "") << "empty is as if it were not there";
    for (const char* wrong : {"0", "999", "3600001", "1s", "-1000", "99999999999"}) {
        EXPECT_EQ(with("OPENND_IWARP_DEAD_MS", wrong).tcp.dead_after, milliseconds(30'000));
        EXPECT_NE(complaint().find("expected 1000 to 3600000 milliseconds; using 30000"), std::string::npos) << wrong;
    }
    ::unsetenv("OPENND_IWARP_DEAD_MS");
    EXPECT_EQ(with("OPENND_IWARP_IDLE_MS", "1").idle, milliseconds(0));
    EXPECT_EQ(complaint(),
              "OPENND_IWARP_IDLE_MS is \"1\": expected 1000 to 3600000 milliseconds, or 0 for no limit; using 0");
}

}  // namespace
}  // namespace opennd::iwarp
