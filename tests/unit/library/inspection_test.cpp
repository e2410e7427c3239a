// SPDX-License-Identifier: MIT
// Who asks this process gets its report, whole; one that does not read holds up nobody.
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "library/inspection/checked_answer.h"
#include "library/inspection/inspected_process.h"
#include "library/inspection/inspection_server.h"
#include "library/inspection/inspection_socket.h"
#include "platform/descriptor/local_socket.h"
#include "support/deadline.h"
#include "support/sanitizer.h"

namespace opennd {
namespace {

// A server for the rest of the process, as in the library.
class InspectionTest : public testing::Test {
protected:
    static std::string report(Question question) {
        return question == Question::report ? report_ : format(R"({{"asked":"{}"}})", word(question));
    }
    static void SetUpTestSuite() { server().start(); }
    static InspectionServer& server() {
        static auto* const loop = new EventLoop;
        static auto* const made = new InspectionServer(*loop, &InspectionTest::report);
        return *made;
    }
    static LocalSocket visit(std::string_view question) {
        LocalSocket visitor = LocalSocket::connect(inspection_socket(::getpid())).take();
        EXPECT_EQ(visitor.send(std::as_bytes(std::span(question))), Status::success);
        return visitor;
    }
    static bool has_ended(const LocalSocket& socket, int patience_ms) {
        pollfd end{socket.descriptor(), POLLRDHUP, 0};
        return ::poll(&end, 1, patience_ms) == 1;
    }

    static inline std::string report_;
};

TEST_F(InspectionTest, GivesTheReport) {
    report_ = R"({"program":"test","interfaces":[]})";
    const Result<std::string> answer = ask_process(::getpid(), Question::report);
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer.value(), report_);
}

TEST_F(InspectionTest, HasTheProcessAndTheUserThatTheKernelNames) {
    report_ = R"({"pid":1,"user":4242})";
    EXPECT_EQ(ask_process(::getpid(), Question::report).value(),
              format(R"({{"pid":{},"user":{}}})", ::getpid(), ::geteuid()));
}

TEST_F(InspectionTest, BelievesNoAnswerThatIsNoObject) {
    for (const char* each : {"", "text", "[]", "5", "null", "{", "{}{}", "{\"a\":\"\xff\"}"}) {
        report_ = each;
        EXPECT_EQ(ask_process(::getpid(), Question::report).status(), Status::invalid_parameter) << each;
    }
}

TEST_F(InspectionTest, BelievesNoAnswerBeyondItsBounds) {
    const auto nested = [](std::size_t depth) {
        return "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
    };
    report_ = nested(kMostDepth);
    EXPECT_TRUE(ask_process(::getpid(), Question::report).ok());
    report_ = nested(kMostDepth + 1);
    EXPECT_EQ(ask_process(::getpid(), Question::report).status(), Status::invalid_parameter);
    report_ = nested(1'000'000);
    EXPECT_EQ(ask_process(::getpid(), Question::report).status(), Status::invalid_parameter);
    std::string values;
    for (std::size_t i = 0; i < kMostValues; ++i) values += "0,";
    report_ = "{\"a\":[" + values + "0]}";
    EXPECT_EQ(ask_process(::getpid(), Question::report).status(), Status::invalid_parameter);
}

TEST_F(InspectionTest, GivesAReportThatNoSocketHolds) {
    report_ = "{\"a\":\"";
    for (int i = 0; report_.size() < (4u << 20); ++i) report_ += std::to_string(i);
    report_ += "\"}";
    const Result<std::string> answer = ask_process(::getpid(), Question::report);
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer.value(), report_);
}

TEST_F(InspectionTest, ListsThisProcessOnce) {
    const std::vector<pid_t> processes = inspected_processes();
    EXPECT_EQ(std::ranges::count(processes, ::getpid()), 1);
}

TEST_F(InspectionTest, StartsOnce) {
    server().start();
    report_ = R"({"still":"there"})";
    EXPECT_EQ(ask_process(::getpid(), Question::report).value(), report_);
}

TEST_F(InspectionTest, IsRefusedByAProcessThatIsNotThere) {
    EXPECT_EQ(ask_process(0, Question::report).status(), Status::connection_refused);
}

TEST_F(InspectionTest, LetsMoreVisitorsThanItAnswersWait) {
    report_ = "{\"a\":\"" + std::string(4u << 20, 'x') + "\"}";
    std::vector<LocalSocket> silent;
    for (int each = 0; each < InspectionServer::kMostAtOnce; ++each) {
        silent.push_back(visit("report"));
        EXPECT_TRUE(support::wait_until([&] { return silent.back().readable(); })) << "it has no place";
    }
    LocalSocket waiting = visit("objects");
    silent.clear();  // their places become free
    EXPECT_TRUE(support::wait_until([&] { return waiting.readable(); }));
    std::array<std::byte, 8> answer;
    EXPECT_TRUE(waiting.receive(answer).ok()) << "it was hung up on";
}

// A visitor's place becomes free a moment after it has its answer.
TEST_F(InspectionTest, AnswersVisitsInQuickSuccession) {
    report_ = "{}";
    for (int visits = 0; visits < 200; ++visits) ASSERT_TRUE(ask_process(::getpid(), Question::report).ok()) << visits;
}

TEST_F(InspectionTest, AnswersWhatItIsAsked) {
    report_ = R"({"asked":"nothing"})";
    EXPECT_EQ(ask_process(::getpid(), Question::report).value(), report_);
    EXPECT_EQ(ask_process(::getpid(), Question::objects).value(), R"({"asked":"objects"})");
    EXPECT_EQ(ask_process(::getpid(), Question::events).value(), R"({"asked":"events"})");
}

TEST_F(InspectionTest, HangsUpOnAQuestionThatItDoesNotKnow) {
    LocalSocket visitor = visit("everything");
    ASSERT_TRUE(has_ended(visitor, static_cast<int>(support::kDeadline.count())));
    std::array<std::byte, 8> answer;
    EXPECT_EQ(visitor.receive(answer).status(), Status::disconnected);
}

TEST_F(InspectionTest, LeavesAVisitorThatAsksNothing) {
    const LocalSocket silent = LocalSocket::connect(inspection_socket(::getpid())).take();
    EXPECT_TRUE(has_ended(silent, static_cast<int>(support::kDeadline.count())));
}

TEST_F(InspectionTest, LeavesAVisitorThatReadsNothing) {
    report_.assign(4u << 20, 'x');
    const LocalSocket silent = visit("report");
    EXPECT_TRUE(has_ended(silent, static_cast<int>(support::kDeadline.count())));
}

constexpr const char* kFollowsNoServer = "the thread sanitizer follows no child that starts threads";

// A process with a server, which `prepare` makes what it is, is asked by this one or by a child that `become` changed.
class ForeignProcess {
public:
    explicit ForeignProcess(void (*prepare)()) {
        int told[2];
        EXPECT_EQ(::pipe(told), 0);
        pid = ::fork();
        if (pid == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            prepare();
            auto* const loop = new EventLoop;
            auto* const server = new InspectionServer(*loop, [](Question) { return std::string("{}"); });
            server->start();
            if (::write(told[1], "x", 1) != 1) ::_exit(1);
            for (;;) ::pause();
        }
        ::close(told[1]);  // so that its death ends the read
        char word = 0;
        EXPECT_EQ(::read(told[0], &word, 1), 1);
        ::close(told[0]);
    }
    ~ForeignProcess() {
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
    }
    Status asked_by_child(void (*become)()) const {
        const pid_t child = ::fork();
        if (child == 0) {
            become();
            ::_exit(static_cast<int>(ask_process(pid, Question::report).status()));
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_TRUE(WIFEXITED(status));
        return static_cast<Status>(WEXITSTATUS(status));
    }

    pid_t pid = -1;
};

void become_another_user() {
    if (::setresgid(12345, 12345, 12345) != 0 || ::setresuid(12345, 12345, 12345) != 0) ::_exit(99);
    ::prctl(PR_SET_DUMPABLE, 1);
}
void become_not_dumpable() { ::prctl(PR_SET_DUMPABLE, 0); }
void keep_everything() {}
// As a container's root: the same number of a user, and fewer rights.
void drop_all_capabilities() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2] = {};
    if (::syscall(SYS_capset, &header, none) != 0) ::_exit(99);
    ::prctl(PR_SET_DUMPABLE, 1);
}
void enter_another_user_namespace() {
    if (::unshare(CLONE_NEWUSER) != 0) ::_exit(99);
    ::prctl(PR_SET_DUMPABLE, 1);
}

TEST_F(InspectionTest, GivesWhatTracingWouldGiveToTheSameUser) {
    if (support::kThreadSanitizer) GTEST_SKIP() << kFollowsNoServer;
    const ForeignProcess usual(keep_everything);
    EXPECT_EQ(usual.asked_by_child(keep_everything), Status::success);
    if (::geteuid() != 0) GTEST_SKIP() << "needs to become other users, which root alone may";
    const ForeignProcess plain(become_another_user);
    EXPECT_EQ(plain.asked_by_child(become_another_user), Status::success);
}

TEST_F(InspectionTest, RefusesASameUserThatMayNotTraceAProcessWhichIsNotDumpable) {
    if (support::kThreadSanitizer) GTEST_SKIP() << kFollowsNoServer;
    if (::geteuid() != 0) GTEST_SKIP() << "needs to become other users, which root alone may";
    const ForeignProcess closed([] {
        become_another_user();
        become_not_dumpable();
    });
    EXPECT_EQ(closed.asked_by_child(become_another_user), Status::access_violation);
}

TEST_F(InspectionTest, RefusesASameUserWithFewerRights) {
    if (support::kThreadSanitizer) GTEST_SKIP() << kFollowsNoServer;
    if (::geteuid() != 0) GTEST_SKIP() << "needs rights to lose, which root alone has";
    const ForeignProcess powerful(keep_everything);
    EXPECT_EQ(powerful.asked_by_child(drop_all_capabilities), Status::access_violation);
}

TEST_F(InspectionTest, RefusesASameUserOfAnotherUserNamespace) {
    if (support::kThreadSanitizer) GTEST_SKIP() << kFollowsNoServer;
    const pid_t trial = ::fork();
    if (trial == 0) ::_exit(::unshare(CLONE_NEWUSER) == 0 ? 0 : 1);
    int status = 0;
    ::waitpid(trial, &status, 0);
    if (status != 0) GTEST_SKIP() << "this host lets nobody make a user namespace";
    const ForeignProcess outside(keep_everything);
    EXPECT_EQ(outside.asked_by_child(enter_another_user_namespace), Status::access_violation);
}

TEST_F(InspectionTest, BelievesNoProcessUnderTheNameOfAnother) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::pause();
        ::_exit(0);
    }
    LocalListener squatter = LocalListener::bind(inspection_socket(child)).take();
    ASSERT_EQ(squatter.listen(1), Status::success);
    EXPECT_EQ(ask_process(child, Question::report).status(), Status::connection_refused);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

TEST_F(InspectionTest, DoesNotWaitLongForAProcessThatSaysNothing) {
    int told[2];
    ASSERT_EQ(::pipe(told), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        LocalListener mute = LocalListener::bind(inspection_socket(::getpid())).take();
        if (!ok(mute.listen(1)) || ::write(told[1], "x", 1) != 1) ::_exit(1);
        ::pause();
        ::_exit(0);
    }
    char word = 0;
    ASSERT_EQ(::read(told[0], &word, 1), 1);
    EXPECT_EQ(ask_process(child, Question::report).status(), Status::timed_out);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(told[0]);
    ::close(told[1]);
}

}  // namespace
}  // namespace opennd
