// SPDX-License-Identifier: MIT
// The lines of a file, and what happens where a place cannot be had.
#include "platform/descriptor/log_destination.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/format.h"
#include "support/deadline.h"
#include "support/requirement.h"
#include "support/sanitizer.h"

namespace opennd {
namespace {

class LogDestinationTest : public testing::Test {
protected:
    void TearDown() override { std::filesystem::remove(path_); }

    std::vector<std::string> lines() const {
        std::vector<std::string> all;
        std::ifstream file(path_);
        for (std::string line; std::getline(file, line);) all.push_back(line);
        return all;
    }
    static std::string written_to_standard_error(std::string_view place) {
        testing::internal::CaptureStderr();
        EXPECT_TRUE(make_log_destination(place, LogForm::text)->write(LogLevel::warn, "a line"));
        return testing::internal::GetCapturedStderr();
    }

    const std::string path_ = testing::TempDir() + format("log_destination_{}", ::getpid());
};

TEST_F(LogDestinationTest, AFileHasDateZoneProcessThreadAndLevel) {
    EXPECT_TRUE(make_log_destination(path_, LogForm::text)->write(LogLevel::warn, "a line"));
    ASSERT_EQ(lines().size(), 1u);
    EXPECT_THAT(lines()[0],
                testing::MatchesRegex(format(
                    "[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}} [0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}[.][0-9]{{6}}[+-][0-9]{{4}} "
                    "{}:[0-9]+ opennd warning: a line",
                    ::getpid())));
}

// A zone of POSIX counts to the west.
TEST_F(LogDestinationTest, TheOffsetIsThatOfTheProcessesZone) {
    const char* const before = std::getenv("TZ");
    const std::string kept = before ? before : "";
    for (const auto& [zone, offset] : {std::pair("EAST-05:45", "+0545 "), std::pair("WEST03:30", "-0330 ")}) {
        ::setenv("TZ", zone, 1);
        ::tzset();
        EXPECT_TRUE(make_log_destination(path_, LogForm::text)->write(LogLevel::warn, "a line"));
        EXPECT_NE(lines().back().find(offset), std::string::npos) << lines().back();
    }
    before ? ::setenv("TZ", kept.c_str(), 1) : ::unsetenv("TZ");
    ::tzset();
}

TEST_F(LogDestinationTest, ALineOfJsonIsAnObject) {
    EXPECT_TRUE(make_log_destination(path_, LogForm::json)->write(LogLevel::warn, R"(a "line" of C:\x)"));
    ASSERT_EQ(lines().size(), 1u);
    EXPECT_THAT(lines()[0], testing::MatchesRegex(format(
                                "[{{]\"time\":\"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}"
                                "[.][0-9]{{6}}Z\",\"pid\":{},\"tid\":[0-9]+,\"level\":\"warning\","
                                "\"message\":\"a [\\]\"line[\\]\" of C:[\\][\\]x\"[}}]",
                                ::getpid())));
}

// The C library's zone has a lock, which a child would find held for ever.
TEST_F(LogDestinationTest, AChildOfForkWritesWhileItsParentsThreadsDo) {
    if (support::kThreadSanitizer) GTEST_SKIP() << "the thread sanitizer follows no child of a process with threads";
    support::proves("ND2-GEN-11");
    for (const LogForm form : {LogForm::text, LogForm::json}) {
        const auto destination = make_log_destination(path_, form);
        std::atomic<bool> over{false};
        std::vector<std::thread> writers;
        for (int i = 0; i < 3; ++i)
            writers.emplace_back([&] {
                while (!over.load()) (void)destination->write(LogLevel::warn, "a line of the parent");
            });
        int hanging = 0;
        for (int i = 0; i < 400 && hanging == 0; ++i) {
            const pid_t child = ::fork();
            if (child == 0) ::_exit(destination->write(LogLevel::warn, "a line of the child") ? 0 : 1);
            int status = 0;
            hanging += !support::wait_until([&] { return ::waitpid(child, &status, WNOHANG) == child; });
            if (hanging != 0) ::kill(child, SIGKILL);
        }
        over.store(true);
        for (std::thread& each : writers) each.join();
        EXPECT_EQ(hanging, 0);
    }
}

TEST_F(LogDestinationTest, AFileHasEachLineAtOnce) {
    const auto destination = make_log_destination(path_, LogForm::text);
    EXPECT_TRUE(destination->write(LogLevel::debug, "one"));
    EXPECT_EQ(lines().size(), 1u);
}

TEST_F(LogDestinationTest, AFileKeepsTheLinesOfOthers) {
    const auto one = make_log_destination(path_, LogForm::text), other = make_log_destination(path_, LogForm::text);
    EXPECT_TRUE(one->write(LogLevel::error, "first"));
    EXPECT_TRUE(other->write(LogLevel::error, "second"));
    EXPECT_TRUE(one->write(LogLevel::error, "third"));
    EXPECT_EQ(lines().size(), 3u);
}

TEST_F(LogDestinationTest, StandardErrorIsTheDefault) {
    EXPECT_NE(written_to_standard_error("").find("opennd warning: a line"), std::string::npos);
    EXPECT_NE(written_to_standard_error("stderr").find("opennd warning: a line"), std::string::npos);
}

TEST_F(LogDestinationTest, StandardErrorStandsInForAPlaceThatCannotBeHad) {
    for (const std::string_view place : {"journal", "here/log", "/dev/null/log", "/proc/self/none"}) {
        const std::string text = written_to_standard_error(place);
        EXPECT_NE(text.find(format("cannot go to \"{}\"", place)), std::string::npos) << text;
        EXPECT_NE(text.find("opennd warning: a line"), std::string::npos) << text;
    }
}

TEST_F(LogDestinationTest, StandardErrorStandsInForASystemsLogThatIsNotThere) {
    if (std::filesystem::exists("/dev/log")) GTEST_SKIP() << "this host has a system's log";
    const std::string text = written_to_standard_error("syslog");
    EXPECT_NE(text.find("cannot go to \"syslog\": /dev/log: No such file"), std::string::npos) << text;
    EXPECT_NE(text.find("opennd warning: a line"), std::string::npos) << text;
}

TEST_F(LogDestinationTest, TheSystemsLogIsTakenWithoutALineOnStandardError) {
    if (!std::filesystem::exists("/dev/log")) GTEST_SKIP() << "this host has no system's log";
    testing::internal::CaptureStderr();
    (void)make_log_destination("syslog", LogForm::text)
        ->write(LogLevel::warn, "a line");  // false where no daemon listens
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace opennd
