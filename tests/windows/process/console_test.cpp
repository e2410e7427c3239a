// SPDX-License-Identifier: MIT
// The keys and events that end a program.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <windows.h>

#include <atomic>
#include <filesystem>
#include <iterator>

#include "support/deadline.h"
#include "windows/soon.h"

namespace opennd {
namespace {

std::atomic<int> first_calls{0};
std::atomic<DWORD> last_event{99};
std::atomic<DWORD> in_thread{0};
HANDLE told = nullptr;

BOOL WINAPI pass_on(DWORD event) {
    ++first_calls;
    last_event = event;
    return FALSE;
}
BOOL WINAPI handle(DWORD event) {
    last_event = event;
    in_thread = GetCurrentThreadId();
    SetEvent(told);
    return TRUE;
}

std::atomic<int> signals{0};
void on_signal(int) {
    ++signals;
    SetEvent(told);
}

class Console : public testing::Test {
protected:
    Console() {
        told = CreateEvent(nullptr, FALSE, FALSE, nullptr);
        first_calls = 0;
        signals = 0;
        SetConsoleCtrlHandler(pass_on, TRUE);  // starts the thread that stays
        SetConsoleCtrlHandler(pass_on, FALSE);
        threads_ = threads();
    }
    ~Console() override {
        EXPECT_TRUE(support::wait_until([this] { return threads() <= threads_; })) << "each event has a thread";
        CloseHandle(told);
    }

    static std::ptrdiff_t threads() {
        return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
    }

    static void send(int signal) { kill(getpid(), signal); }
    static bool is_told() { return WaitForSingleObject(told, kSoon) == WAIT_OBJECT_0; }

    std::ptrdiff_t threads_ = 0;
};

TEST_F(Console, CallsTheFunctionAddedLastFirst) {
    EXPECT_TRUE(SetConsoleCtrlHandler(handle, TRUE));
    EXPECT_TRUE(SetConsoleCtrlHandler(pass_on, TRUE));
    send(SIGINT);
    EXPECT_TRUE(is_told());
    EXPECT_EQ(last_event, DWORD{CTRL_C_EVENT});
    EXPECT_EQ(first_calls, 1);
    EXPECT_NE(in_thread, GetCurrentThreadId());
    send(SIGQUIT);
    EXPECT_TRUE(is_told());
    EXPECT_EQ(last_event, DWORD{CTRL_BREAK_EVENT});
    EXPECT_TRUE(SetConsoleCtrlHandler(pass_on, FALSE));
    send(SIGINT);
    EXPECT_TRUE(is_told());
    EXPECT_EQ(first_calls, 2);
    EXPECT_TRUE(SetConsoleCtrlHandler(handle, FALSE));
    EXPECT_FALSE(SetConsoleCtrlHandler(handle, FALSE));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

TEST_F(Console, GivesTheSignalsBack) {
    struct sigaction own {};
    own.sa_handler = on_signal;
    struct sigaction before {};
    sigaction(SIGINT, &own, &before);
    EXPECT_TRUE(SetConsoleCtrlHandler(handle, TRUE));
    EXPECT_TRUE(SetConsoleCtrlHandler(handle, TRUE));
    send(SIGINT);
    EXPECT_TRUE(is_told());
    EXPECT_EQ(signals, 0);
    EXPECT_TRUE(SetConsoleCtrlHandler(handle, FALSE));
    send(SIGINT);
    EXPECT_TRUE(is_told());
    EXPECT_EQ(signals, 0) << "added twice";
    EXPECT_TRUE(SetConsoleCtrlHandler(handle, FALSE));
    send(SIGINT);
    EXPECT_TRUE(is_told());
    EXPECT_EQ(signals, 1);
    sigaction(SIGINT, &before, nullptr);
}

TEST_F(Console, LeavesAnEventThatNobodyHandlesToTheActionOfBefore) {
    struct sigaction own {};
    own.sa_handler = on_signal;
    struct sigaction before {};
    sigaction(SIGTERM, &own, &before);
    EXPECT_TRUE(SetConsoleCtrlHandler(pass_on, TRUE));
    for (int i = 1; i <= 2; ++i) {
        send(SIGTERM);
        EXPECT_TRUE(is_told());
        EXPECT_EQ(signals, i);
        EXPECT_EQ(first_calls, i);
        EXPECT_EQ(last_event, DWORD{CTRL_SHUTDOWN_EVENT});
    }
    EXPECT_TRUE(SetConsoleCtrlHandler(pass_on, FALSE));
    sigaction(SIGTERM, &before, nullptr);
}

TEST_F(Console, IgnoresInterruptsOnDemand) {
    EXPECT_TRUE(SetConsoleCtrlHandler(nullptr, TRUE));
    send(SIGINT);
    EXPECT_TRUE(SetConsoleCtrlHandler(handle, TRUE));
    send(SIGINT);
    EXPECT_EQ(WaitForSingleObject(told, 20), DWORD{WAIT_TIMEOUT});
    EXPECT_TRUE(SetConsoleCtrlHandler(nullptr, FALSE));
    send(SIGINT);
    EXPECT_TRUE(is_told());
    EXPECT_TRUE(SetConsoleCtrlHandler(handle, FALSE));
}

// Each in a process of its own, which the event ends.
[[noreturn]] void end_by(int signal, PHANDLER_ROUTINE routine) {
    told = CreateEvent(nullptr, FALSE, FALSE, nullptr);
    SetConsoleCtrlHandler(routine, TRUE);
    kill(getpid(), signal);
    WaitForSingleObject(told, INFINITE);
    WaitForSingleObject(told, kSoon);
    _exit(1);
}

using ConsoleDeathTest = Console;

TEST_F(ConsoleDeathTest, AnEventThatNobodyHandlesEndsTheProcess) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(end_by(SIGINT, pass_on), testing::KilledBySignal(SIGINT), "");
}

TEST_F(ConsoleDeathTest, AnEndThatIsHandledEndsTheProcessAllTheSame) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(end_by(SIGTERM, handle), testing::KilledBySignal(SIGTERM), "");
    EXPECT_EXIT(end_by(SIGHUP, handle), testing::KilledBySignal(SIGHUP), "");
}

// The child has no thread that could call a function, and shares the parent's pipe.
TEST_F(Console, ASignalOfAChildOfForkEndsTheChildAndIsNotToldHere) {
    ASSERT_TRUE(SetConsoleCtrlHandler(handle, TRUE));
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0)
        for (;;) pause();
    ASSERT_EQ(kill(child, SIGINT), 0);
    int status = 0;
    const bool ended = support::wait_until([&] { return waitpid(child, &status, WNOHANG) == child; });
    if (!ended) kill(child, SIGKILL);
    if (!ended) waitpid(child, &status, 0);
    EXPECT_TRUE(ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
    EXPECT_EQ(WaitForSingleObject(told, 0), WAIT_TIMEOUT);
    EXPECT_TRUE(SetConsoleCtrlHandler(handle, FALSE));
}

}  // namespace
}  // namespace opennd
