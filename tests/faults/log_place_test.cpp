// SPDX-License-Identifier: MIT
//
// The log's place in trouble: nobody reads standard error, the file is at its limit or somebody else's. No call of the program waits, no signal
// ends the process, and the log tells how many lines it left out. Requirement ND2-GEN-02; docs/decisions/0078.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <opennd.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "support/deadline.h"
#include "support/requirement.h"
#include "support/sanitizer.h"

namespace opennd::faults {
namespace {

constexpr int kLines = 5000;  // more than a pipe has room for

void log_lines(int count) {
    for (int i = 0; i < count; ++i) opennd_log_write(OPENND_LOG_ERROR, "a line of the program");
}

// A pipe that is a child's standard error, and the text that came through it.
class ErrorPipe {
public:
    ErrorPipe() { EXPECT_EQ(pipe(ends_), 0); }
    ~ErrorPipe() {
        if (ends_[0] >= 0) close(ends_[0]);
        close(ends_[1]);
    }
    void become_standard_error() const { dup2(ends_[1], STDERR_FILENO); }
    void end_reading() { close(std::exchange(ends_[0], -1)); }
    bool waits() const { return (fcntl(ends_[1], F_GETFL) & O_NONBLOCK) == 0; }
    // All that is there now.
    std::string take() const {
        std::string all;
        std::array<char, 4096> part;
        fcntl(ends_[0], F_SETFL, O_NONBLOCK);
        for (ssize_t got = 0; (got = read(ends_[0], part.data(), part.size())) > 0;)
            all.append(part.data(), static_cast<std::size_t>(got));
        return all;
    }

private:
    int ends_[2];
};

class LogPlace : public testing::Test {
protected:
    void SetUp() override {
        if (support::kThreadSanitizer) GTEST_SKIP() << "the thread sanitizer follows no child that starts threads";
        std::filesystem::create_directory(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    // The end of a child with its log at `place`, as text; a child that waits is killed.
    template <typename Work>
    static std::string end_of_child(const std::string& place, Work&& work) {
        const pid_t child = fork();
        if (child == 0) {
            setenv("OPENND_LOG_TO", place.c_str(), 1);
            work();
            _exit(0);
        }
        int status = 0;
        if (!support::wait_until([&] { return waitpid(child, &status, WNOHANG) == child; })) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return "it waits";
        }
        if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
        return WEXITSTATUS(status) == 0 ? "" : "exit " + std::to_string(WEXITSTATUS(status));
    }
    std::string text_of(const std::string& path) const {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    const std::string folder_ = testing::TempDir() + "log_place_" + std::to_string(getpid());
    const std::string path_ = folder_ + "/log";
};

TEST_F(LogPlace, StandardErrorThatNobodyReadsHoldsNothingUp) {
    support::proves("ND2-GEN-02");
    const ErrorPipe pipe;
    EXPECT_EQ(end_of_child("stderr",
                           [&] {
                               pipe.become_standard_error();
                               log_lines(kLines);
                               if (pipe.take().empty() || !pipe.waits()) _exit(1);
                               log_lines(1);
                               const std::string later = pipe.take();
                               const bool told = later.find("lines were left out here") != std::string::npos;
                               if (!told || later.find("a line of the program") == std::string::npos) _exit(2);
                           }),
              "");
}

TEST_F(LogPlace, StandardErrorThatNobodyCanReadEndsNothing) {
    support::proves("ND2-GEN-02");
    ErrorPipe pipe;
    pipe.end_reading();
    EXPECT_EQ(end_of_child("stderr",
                           [&] {
                               signal(SIGPIPE, SIG_DFL);
                               pipe.become_standard_error();
                               log_lines(3);
                           }),
              "");
}

TEST_F(LogPlace, AFileAtItsLimitEndsNothing) {
    support::proves("ND2-GEN-02");
    EXPECT_EQ(end_of_child(path_,
                           [&] {
                               rlimit limit{};
                               getrlimit(RLIMIT_FSIZE, &limit);
                               const rlim_t most = limit.rlim_cur;
                               limit.rlim_cur = 1000;
                               setrlimit(RLIMIT_FSIZE, &limit);
                               log_lines(50);
                               limit.rlim_cur = most;
                               setrlimit(RLIMIT_FSIZE, &limit);
                               log_lines(1);
                           }),
              "");
    EXPECT_NE(text_of(path_).find("lines were left out here"), std::string::npos) << text_of(path_);
}

TEST_F(LogPlace, ANewFileIsThisUsersAlone) {
    EXPECT_EQ(end_of_child(path_,
                           [] {
                               umask(0);
                               log_lines(1);
                           }),
              "");
    struct stat file {};
    ASSERT_EQ(stat(path_.c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & 07777, 0600u);
}

TEST_F(LogPlace, NoFileOfOthersIsWritten) {
    const std::string victim = folder_ + "/victim";
    const auto refused = [&](const std::string& place) {
        const ErrorPipe pipe;
        EXPECT_EQ(end_of_child(place,
                               [&] {
                                   pipe.become_standard_error();
                                   log_lines(1);
                               }),
                  "");
        const std::string said = pipe.take();
        EXPECT_NE(said.find("cannot go to"), std::string::npos) << place << ": " << said;
        EXPECT_NE(said.find("a line of the program"), std::string::npos) << said;
    };
    std::ofstream(victim) << "";
    ASSERT_EQ(symlink(victim.c_str(), (folder_ + "/link").c_str()), 0);
    refused(folder_ + "/link");
    ASSERT_EQ(link(victim.c_str(), (folder_ + "/name").c_str()), 0);
    refused(folder_ + "/name");
    ASSERT_EQ(mkfifo((folder_ + "/pipe").c_str(), 0600), 0);
    refused(folder_ + "/pipe");
    EXPECT_EQ(text_of(victim), "");
    if (geteuid() != 0) return;
    std::ofstream(folder_ + "/foreign") << "";
    ASSERT_EQ(chown((folder_ + "/foreign").c_str(), 1, 1), 0);
    refused(folder_ + "/foreign");
    EXPECT_EQ(text_of(folder_ + "/foreign"), "");
}

}  // namespace
}  // namespace opennd::faults
