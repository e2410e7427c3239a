// SPDX-License-Identifier: MIT
// The settings of an environment, valid and invalid.
#include "library/settings/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "library/settings/misspelt_names.h"
#include "library/settings/setting_table.h"
#include "support/requirement.h"

namespace opennd {
namespace {

using iwarp::Crc;
using iwarp::OpenAt;
using iwarp::Revisions;
using std::chrono::milliseconds;
using support::proves;

class SettingsTest : public testing::Test {
protected:
    void SetUp() override { set_log_sink(&keep, &lines_, LogLevel::error); }
    void TearDown() override { set_log_sink(nullptr, nullptr, LogLevel::error); }

    static Settings read(Reading when, const std::map<std::string, std::string>& variables) {
        return read_settings(when, [&](const char* name) {
            const auto found = variables.find(name);
            return found == variables.end() ? nullptr : found->second.c_str();
        });
    }
    // The one setting that is read at the start.
    static Settings with(const char* variable, const char* value) { return read(Reading::start, {{variable, value}}); }
    static NdkSettings ndk_with(const char* variable, const char* value) {
        return read(Reading::ndk_call, {{variable, value}}).ndk;
    }
    // The newest complaint; empty if there was none.
    std::string complaint() { return std::exchange(lines_, {}); }

private:
    static void keep(void* context, LogLevel, const char* message) { *static_cast<std::string*>(context) = message; }

    std::string lines_;
};

TEST_F(SettingsTest, HaveTheDefaultsOfTheSpecification) {
    proves("IW-SEC-25", "IW-CM-02", "IW-CM-11", "IW-CM-19", "ND2-QP-SEND-05", "ND2-PRV-LIST-05");
    const Settings settings = read(Reading::start, {});
    EXPECT_EQ(settings.iwarp.crc, Crc::on);
    EXPECT_EQ(settings.iwarp.completion, iwarp::CompletionProof::automatic);
    EXPECT_EQ(settings.iwarp.revisions, Revisions::automatic);
    EXPECT_EQ(settings.iwarp.open_at, OpenAt::complete_connect);
    EXPECT_EQ(settings.iwarp.tcp.dead_after, milliseconds(30'000));
    EXPECT_EQ(settings.iwarp.patience, milliseconds(120'000));
    EXPECT_EQ(settings.iwarp.idle, milliseconds(0)) << "no limit";
    EXPECT_EQ(settings.soft.no_receive_time, milliseconds(1000));
    EXPECT_EQ(settings.verbs.path_time, milliseconds(15'000));
    EXPECT_TRUE(settings.shm.process_vm);
    EXPECT_EQ(settings.shm.placed, std::nullopt);
    EXPECT_EQ(settings.soft.copies, std::nullopt);
    EXPECT_EQ(settings.iwarp.crc_way, std::nullopt);
    EXPECT_FALSE(settings.loopback_listed);
    EXPECT_EQ(settings.provider_folder, "/etc/opennd/providers.d");
    EXPECT_EQ(settings.log.level, LogLevel::error);
    const Settings selection = read(Reading::selection, {});
    EXPECT_EQ(selection.transports, "");
    EXPECT_EQ(selection.overrun_rule, "forgiving");
    EXPECT_EQ(complaint(), "");
}

TEST_F(SettingsTest, OfNdkHaveTheDefaultsOfTheSpecification) {
    proves("NDK-CON-CONN-06", "NDK-CON-DISC-04", "NDK-GEN-16", "NDK-STAT-21");
    const NdkSettings usual = read(Reading::ndk_call, {}).ndk;
    EXPECT_EQ(usual.set_up, milliseconds(15'000));
    EXPECT_EQ(usual.answer, milliseconds(5'000));
    EXPECT_EQ(usual.naming, milliseconds(5'000));
    EXPECT_EQ(usual.grace, milliseconds(5'000));
    EXPECT_TRUE(usual.configured.empty());
    EXPECT_TRUE(usual.disabled.empty());
}

TEST_F(SettingsTest, AreThoseOfTheEnvironment) {
    EXPECT_EQ(with("OPENND_IWARP_CRC", "off").iwarp.crc, Crc::off);
    EXPECT_EQ(with("OPENND_IWARP_COMPLETION", "fenced").iwarp.completion, iwarp::CompletionProof::fenced);
    EXPECT_EQ(with("OPENND_IWARP_COMPLETION", "local").iwarp.completion, iwarp::CompletionProof::local);
    EXPECT_EQ(with("OPENND_IWARP_REVISION", "2").iwarp.revisions, Revisions::two);
    EXPECT_EQ(with("OPENND_IWARP_REVISION", "1").iwarp.revisions, Revisions::one);
    EXPECT_EQ(with("OPENND_IWARP_OPEN_AT", "reply").iwarp.open_at, OpenAt::reply);
    EXPECT_EQ(with("OPENND_IWARP_DEAD_MS", "1000").iwarp.tcp.dead_after, milliseconds(1000));
    EXPECT_EQ(with("OPENND_IWARP_PATIENCE_MS", "0").iwarp.patience, milliseconds(0));
    EXPECT_EQ(with("OPENND_IWARP_IDLE_MS", "3600000").iwarp.idle, milliseconds(3'600'000));
    EXPECT_EQ(with("OPENND_NO_RECEIVE_MS", "0").soft.no_receive_time, milliseconds(0));
    EXPECT_EQ(with("OPENND_NO_RECEIVE_MS", "3000").soft.no_receive_time, milliseconds(3000));
    EXPECT_FALSE(with("OPENND_SHM_PROCESS_VM", "off").shm.process_vm);
    EXPECT_EQ(with("OPENND_SHM_LONG_SENDS", "placed").shm.placed, true);
    EXPECT_EQ(with("OPENND_SHM_LONG_SENDS", "streamed").shm.placed, false);
    EXPECT_EQ(with("OPENND_COPY", "strides").soft.copies, CopyWay::strides);
    EXPECT_EQ(with("OPENND_COPY", "library").soft.copies, CopyWay::library);
    EXPECT_EQ(with("OPENND_COPY", "instruction").soft.copies, CopyWay::instruction);
    EXPECT_EQ(with("OPENND_COPY", "auto").soft.copies, std::nullopt);
    EXPECT_EQ(with("OPENND_LOOKS", "on").soft.looks, true);
    EXPECT_EQ(with("OPENND_LOOKS", "off").soft.looks, false);
    EXPECT_EQ(with("OPENND_LOOKS", "auto").soft.looks, std::nullopt);
    EXPECT_EQ(with("OPENND_LOOPS", "4").soft.loops, 4u);
    EXPECT_EQ(with("OPENND_LOOPS", "auto").soft.loops, 0u);
    EXPECT_EQ(with("OPENND_IWARP_CRC_WAY", "instruction").iwarp.crc_way, iwarp::CrcWay::instruction);
    EXPECT_EQ(with("OPENND_IWARP_CRC_WAY", "library").iwarp.crc_way, iwarp::CrcWay::library);
    EXPECT_EQ(with("OPENND_IWARP_CRC_WAY", "folding").iwarp.crc_way, iwarp::CrcWay::folding);
    EXPECT_TRUE(with("OPENND_LIST_LOOPBACK", "1").loopback_listed);
    EXPECT_EQ(with("OPENND_PROVIDERS", "/tmp").provider_folder, "/tmp");
    EXPECT_EQ(with("OPENND_LOG", "debug").log.level, LogLevel::debug);
    EXPECT_EQ(read(Reading::selection, {{"OPENND_TRANSPORT", "shm"}}).transports, "shm");
    EXPECT_EQ(read(Reading::selection, {{"OPENND_OVERRUN", "strict"}}).overrun_rule, "strict");
    EXPECT_EQ(complaint(), "");
    const NdkSettings ndk = ndk_with("OPENND_NDK_CONNECT_MS", "2500");
    EXPECT_EQ(ndk.set_up, milliseconds(2500));
    EXPECT_EQ(ndk.answer, milliseconds(5'000));
    EXPECT_EQ(ndk_with("OPENND_NDK_ADAPTERS", "one=127.0.0.1,::1").configured.at(0).addresses.size(), 2u);
}

TEST_F(SettingsTest, KeepTheirDefaultsWhereTheValueIsMisspelt) {
    EXPECT_EQ(with("OPENND_IWARP_REVISION", "3").iwarp.revisions, Revisions::automatic);
    EXPECT_EQ(complaint(), "OPENND_IWARP_REVISION is \"3\": expected auto or 2 or 1; using auto");
    EXPECT_EQ(with("OPENND_IWARP_REVISION", "").iwarp.revisions, Revisions::automatic);
    EXPECT_EQ(complaint(), "") << "empty is as if it were not there";
    for (const char* wrong : {"0", "999", "3600001", "1s", "-1000", "99999999999"}) {
        EXPECT_EQ(with("OPENND_IWARP_DEAD_MS", wrong).iwarp.tcp.dead_after, milliseconds(30'000));
        EXPECT_NE(complaint().find("expected 1000 to 3600000 milliseconds; using 30000"), std::string::npos) << wrong;
    }
    EXPECT_EQ(with("OPENND_IWARP_IDLE_MS", "1").iwarp.idle, milliseconds(0));
    EXPECT_EQ(complaint(),
              "OPENND_IWARP_IDLE_MS is \"1\": expected 1000 to 3600000 milliseconds, or 0 for no limit; using 0");
    EXPECT_EQ(with("OPENND_NO_RECEIVE_MS", "3001").soft.no_receive_time, milliseconds(1000));
    EXPECT_EQ(complaint(), "OPENND_NO_RECEIVE_MS is \"3001\": expected 0 to 3000 milliseconds; using 1000");
    EXPECT_FALSE(with("OPENND_LIST_LOOPBACK", "yes").loopback_listed);
    EXPECT_EQ(complaint(), "OPENND_LIST_LOOPBACK is \"yes\": expected 0 or 1; using 0");
    EXPECT_EQ(with("OPENND_LOG", "loud").log.level, LogLevel::error);
    EXPECT_EQ(complaint(), "OPENND_LOG is \"loud\": expected error or warn or info or debug or off; using error");
    for (const char* text : {"", "99", "3600001", "-200", "200ms", "soon"})
        EXPECT_EQ(ndk_with("OPENND_NDK_CONNECT_MS", text).set_up, milliseconds(15'000)) << text;
}

TEST_F(SettingsTest, DisableTheInterfacesOfTheList) {
    proves("NDK-STAT-22");
    EXPECT_FALSE(NdkSettings{}.disable("eth0"));
    for (const char* list : {"eth0", "lo,eth0", " eth0 ,lo", "lo, eth0 ", ",eth0,"})
        EXPECT_TRUE(ndk_with("OPENND_NDK_DISABLED", list).disable("eth0")) << list;
    for (const char* list : {"", ",", " ", "eth", "eth00", "eth0.1", "lo;eth0", "eth 0"})
        EXPECT_FALSE(ndk_with("OPENND_NDK_DISABLED", list).disable("eth0")) << list;
}

TEST_F(SettingsTest, HaveOneRowEach) {
    std::map<std::string, int> rows;
    for (const SettingRow& row : setting_table()) {
        EXPECT_EQ(++rows[row.variable], 1) << row.variable;
        EXPECT_TRUE(std::string(row.variable).starts_with("OPENND_"));
        EXPECT_NE(std::string(row.meaning), "") << row.variable;
        EXPECT_NE(values_of(row), "") << row.variable;
        Settings settings;
        EXPECT_TRUE(default_of(row).empty() || take_setting(row, default_of(row), settings)) << row.variable;
    }
    EXPECT_EQ(rows.size(), 42u);
}

TEST_F(SettingsTest, OfNearlyTheirNamesAreNamed) {
    const std::pair<const char*, const char*> meant[] = {
        {"OPENND_TRANSPORTS", "OPENND_TRANSPORT"},
        {"OPENND_IWARP_PATIENCE", "OPENND_IWARP_PATIENCE_MS"},
        {"OPENND_LIST_LOOPBAK", "OPENND_LIST_LOOPBACK"},
        {"OPENND_LOGS", "OPENND_LOG"},
        {"OPENND_LGO", "OPENND_LOG"},
        {"OPENND_LOG_LEVEL", "OPENND_LOG"},
        {"OPENND_CAPTURE_SIZE_LIMIT", "OPENND_CAPTURE"},
        {"OPENND_CHEKC", "OPENND_CHECK"},
        {"OPENND_WDM_CHEKING", "OPENND_WDM_CHECKING"},
        {"OPENND_", ""},
        {"OPENND_FOO", ""},
        {"OPENND_VERBOSE_OUTPUT", ""},
    };
    for (const auto& [written, name] : meant) {
        EXPECT_FALSE(is_known_variable(written)) << written;
        EXPECT_EQ(known_variable_near(written), name) << written;
    }
}

TEST_F(SettingsTest, AndNamesOfCompanionsAndTestsAreKnown) {
    for (const SettingRow& row : setting_table()) EXPECT_TRUE(is_known_variable(row.variable)) << row.variable;
    for (const char* other : {"OPENND_WDM_CHECKING", "OPENND_TEST_ADDRESS", "OPENND_LAB", "OPENND_LAB_STATE"})
        EXPECT_TRUE(is_known_variable(other)) << other;
    EXPECT_FALSE(is_known_variable("OPENND_TESTS"));
}

TEST_F(SettingsTest, OfNoNameAreNamedEach) {
    std::vector<std::string> lines;
    set_log_sink([](void* kept, LogLevel,
                    const char* line) { static_cast<std::vector<std::string>*>(kept)->emplace_back(line); },
                 &lines, LogLevel::error);
    const std::vector<const char*> set = {"OPENND_LGO", "OPENND_ODD\x1b_ONE", "OPENND_TEST_SOMETHING", "OPENND_COPY"};
    for (const char* name : set) ::setenv(name, "auto", 1);
    name_unknown_variables();
    for (const char* name : set) ::unsetenv(name);
    std::sort(lines.begin(), lines.end());
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0], "OPENND_LGO is set, and no setting has that name; OPENND_LOG is one");
    EXPECT_TRUE(lines[1].ends_with("_ONE is set, and no setting has that name; nd info --settings lists all"))
        << lines[1];
    EXPECT_EQ(lines[1].find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace opennd
