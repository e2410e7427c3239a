// SPDX-License-Identifier: MIT
// Priority classes. A process that lowered its priority may lack the right to raise it again: so each is one of its
// own.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <windows.h>

#include <cerrno>

namespace opennd {
namespace {

struct Other {
    HANDLE go = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    static DWORD WINAPI tell_nice(LPVOID other) {
        WaitForSingleObject(static_cast<Other*>(other)->go, INFINITE);
        return static_cast<DWORD>(getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())));
    }
};

DWORD nice_of(HANDLE thread) {
    DWORD nice = 0;
    WaitForSingleObject(thread, INFINITE);
    GetExitCodeThread(thread, &nice);
    CloseHandle(thread);
    return nice;
}

int lower_all_threads() {
    Other other;
    const HANDLE before = CreateThread(nullptr, 0, Other::tell_nice, &other, 0, nullptr);
    if (!SetPriorityClass(GetCurrentProcess(), BELOW_NORMAL_PRIORITY_CLASS)) return 1;
    const HANDLE after = CreateThread(nullptr, 0, Other::tell_nice, &other, 0, nullptr);
    SetEvent(other.go);
    if (nice_of(before) != 10 || nice_of(after) != 10) return 2;
    if (GetPriorityClass(GetCurrentProcess()) != BELOW_NORMAL_PRIORITY_CLASS) return 3;
    if (!SetPriorityClass(GetCurrentProcess(), IDLE_PRIORITY_CLASS)) return 4;
    return GetPriorityClass(GetCurrentProcess()) == IDLE_PRIORITY_CLASS ? 0 : 5;
}

// With the right and without it.
int raise_again() {
    setpriority(PRIO_PROCESS, 0, 10);
    const bool may = setpriority(PRIO_PROCESS, 0, 0) == 0;
    setpriority(PRIO_PROCESS, 0, 10);
    const BOOL done = SetPriorityClass(GetCurrentProcess(), HIGH_PRIORITY_CLASS);
    if (may) return done && GetPriorityClass(GetCurrentProcess()) == HIGH_PRIORITY_CLASS ? 0 : 1;
    if (done || GetLastError() != ERROR_PRIVILEGE_NOT_HELD) return 2;
    return GetPriorityClass(GetCurrentProcess()) == BELOW_NORMAL_PRIORITY_CLASS ? 0 : 3;
}

int read_between_classes() {
    setpriority(PRIO_PROCESS, 0, 1);
    if (GetPriorityClass(GetCurrentProcess()) != NORMAL_PRIORITY_CLASS) return 1;
    setpriority(PRIO_PROCESS, 0, 18);
    return GetPriorityClass(GetCurrentProcess()) == IDLE_PRIORITY_CLASS ? 0 : 2;
}

class PriorityDeathTest : public testing::Test {
protected:
    PriorityDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(PriorityDeathTest, IsOfAllThreads) { EXPECT_EXIT(_exit(lower_all_threads()), testing::ExitedWithCode(0), ""); }
TEST_F(PriorityDeathTest, IsRaisedByRight) { EXPECT_EXIT(_exit(raise_again()), testing::ExitedWithCode(0), ""); }
TEST_F(PriorityDeathTest, IsOfTheNearestClass) {
    EXPECT_EXIT(_exit(read_between_classes()), testing::ExitedWithCode(0), "");
}

TEST(Priority, RefusesWhatCannotBe) {
    EXPECT_FALSE(SetPriorityClass(GetCurrentProcess(), 3));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_FALSE(SetPriorityClass(nullptr, NORMAL_PRIORITY_CLASS));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
    EXPECT_EQ(GetPriorityClass(nullptr), 0u);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
}

}  // namespace
}  // namespace opennd
