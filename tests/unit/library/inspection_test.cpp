// SPDX-License-Identifier: MIT
// Who asks this process gets its report, whole; one that does not read holds up nobody.
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
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

#include "library/inspection/inspected_process.h"
#include "library/inspection/inspection_server.h"
#include "library/inspection/inspection_socket.h"
#include "platform/descriptor/local_socket.h"
#include "support/deadline.h"

namespace opennd {
namespace {

// A server for the rest of the process, as in the library.
class InspectionTest : public testing::Test {
protected:
    static std::string report(Question question) {
        return question == Question::report ? report_ : std::string(word(question));
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
    report_ = "{\"pid\": 1}";
    const Result<std::string> answer = ask_process(::getpid(), Question::report);
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer.value(), report_);
}

TEST_F(InspectionTest, GivesAnEmptyReport) {
    report_.clear();
    const Result<std::string> answer = ask_process(::getpid(), Question::report);
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer.value(), "");
}

TEST_F(InspectionTest, GivesAReportThatNoSocketHolds) {
    report_.clear();
    for (int i = 0; report_.size() < (4u << 20); ++i) report_ += std::to_string(i);
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
    report_ = "still there";
    EXPECT_EQ(ask_process(::getpid(), Question::report).value(), report_);
}

TEST_F(InspectionTest, IsRefusedByAProcessThatIsNotThere) {
    EXPECT_EQ(ask_process(0, Question::report).status(), Status::connection_refused);
}

TEST_F(InspectionTest, HangsUpOnMoreVisitorsThanItAnswers) {
    report_.assign(4u << 20, 'x');
    std::vector<LocalSocket> silent;
    // Others of this host may visit as well, and take a place for a moment.
    EXPECT_TRUE(support::wait_until([&] {
        std::erase_if(silent, [](const LocalSocket& each) { return has_ended(each, 0); });
        while (silent.size() < InspectionServer::kMostAtOnce) {
            silent.push_back(visit("report"));
            (void)support::wait_until([&] { return silent.back().readable(); });
        }
        return ask_process(::getpid(), Question::report).status() == Status::access_violation;
    }));
    silent.clear();
    EXPECT_TRUE(support::wait_until([] { return ask_process(::getpid(), Question::report).ok(); }))
        << "their places stay taken";
}

TEST_F(InspectionTest, AnswersWhatItIsAsked) {
    report_ = "connections";
    EXPECT_EQ(ask_process(::getpid(), Question::report).value(), "connections");
    EXPECT_EQ(ask_process(::getpid(), Question::objects).value(), "objects");
    EXPECT_EQ(ask_process(::getpid(), Question::events).value(), "events");
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
