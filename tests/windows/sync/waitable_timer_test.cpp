// SPDX-License-Identifier: MIT
// Waitable timers: signals, calls, and what stops both.
#include <gtest/gtest.h>
#include <windows.h>

#include <array>

#include "windows/soon.h"

namespace opennd {
namespace {

constexpr LONGLONG kMs = 10'000;

LARGE_INTEGER in_ms(LONGLONG milliseconds) {
    LARGE_INTEGER due{};
    due.QuadPart = -milliseconds * kMs;
    return due;
}

LONGLONG number(const FILETIME& time) { return LONGLONG{time.dwHighDateTime} << 32 | time.dwLowDateTime; }

LONGLONG now() {
    FILETIME time{};
    GetSystemTimeAsFileTime(&time);
    return number(time);
}

struct Calls {
    int count = 0;
    LONGLONG last = 0;
    static VOID APIENTRY made(LPVOID calls, DWORD low, DWORD high) {
        auto* const self = static_cast<Calls*>(calls);
        ++self->count;
        self->last = number({low, high});
    }
};

class Timers : public testing::Test {
protected:
    ~Timers() override {
        CloseHandle(timer_);
        CloseHandle(manual_);
    }
    static BOOL set(HANDLE timer, LONGLONG milliseconds, LONG period = 0, PTIMERAPCROUTINE routine = nullptr,
                    LPVOID argument = nullptr) {
        const LARGE_INTEGER due = in_ms(milliseconds);
        return SetWaitableTimer(timer, &due, period, routine, argument, FALSE);
    }

    const HANDLE timer_ = CreateWaitableTimer(nullptr, FALSE, nullptr);
    const HANDLE manual_ =
        CreateWaitableTimerEx(nullptr, nullptr, CREATE_WAITABLE_TIMER_MANUAL_RESET, TIMER_ALL_ACCESS);
};

TEST_F(Timers, AreSignalledInTime) {
    EXPECT_EQ(WaitForSingleObject(timer_, 0), DWORD{WAIT_TIMEOUT});
    const ULONGLONG before = GetTickCount64();
    EXPECT_TRUE(set(timer_, 30));
    EXPECT_EQ(WaitForSingleObject(timer_, 0), DWORD{WAIT_TIMEOUT});
    EXPECT_EQ(WaitForSingleObject(timer_, kSoon), WAIT_OBJECT_0);
    EXPECT_GE(GetTickCount64() - before, 29u);
    EXPECT_EQ(WaitForSingleObject(timer_, 0), DWORD{WAIT_TIMEOUT}) << "the wait took the signal";
    EXPECT_TRUE(set(manual_, 1));
    EXPECT_EQ(WaitForSingleObject(manual_, kSoon), WAIT_OBJECT_0);
    EXPECT_EQ(WaitForSingleObject(manual_, 0), WAIT_OBJECT_0);
    EXPECT_TRUE(set(manual_, 100'000));
    EXPECT_EQ(WaitForSingleObject(manual_, 0), DWORD{WAIT_TIMEOUT}) << "set anew, it has no signal";
}

TEST_F(Timers, TakeADateAndATimeThatHasPassed) {
    LARGE_INTEGER due{};
    due.QuadPart = now() + 20 * kMs;
    EXPECT_TRUE(SetWaitableTimer(timer_, &due, 0, nullptr, nullptr, FALSE));
    EXPECT_EQ(WaitForSingleObject(timer_, kSoon), WAIT_OBJECT_0);
    EXPECT_GE(now(), due.QuadPart);
    for (const LONGLONG passed : {LONGLONG{0}, LONGLONG{1}, now() - 1000 * kMs}) {
        due.QuadPart = passed;
        EXPECT_TRUE(SetWaitableTimer(timer_, &due, 0, nullptr, nullptr, FALSE));
        EXPECT_EQ(WaitForSingleObject(timer_, kSoon), WAIT_OBJECT_0) << passed;
    }
}

TEST_F(Timers, ComeAgainAndAgain) {
    EXPECT_TRUE(set(timer_, 1, 2));
    for (int i = 0; i < 5; ++i) EXPECT_EQ(WaitForSingleObject(timer_, kSoon), WAIT_OBJECT_0) << i;
    EXPECT_TRUE(CancelWaitableTimer(timer_));
    WaitForSingleObject(timer_, 0);  // a signal from before may be left
    EXPECT_EQ(WaitForSingleObject(timer_, 30), DWORD{WAIT_TIMEOUT});
}

TEST_F(Timers, CancelledKeepTheirSignal) {
    EXPECT_TRUE(set(manual_, 0));
    EXPECT_EQ(WaitForSingleObject(manual_, kSoon), WAIT_OBJECT_0);
    EXPECT_TRUE(CancelWaitableTimer(manual_));
    EXPECT_EQ(WaitForSingleObject(manual_, 0), WAIT_OBJECT_0);
}

TEST_F(Timers, CallTheThreadThatSetThem) {
    Calls calls;
    const LONGLONG before = now();
    EXPECT_TRUE(set(timer_, 1, 0, Calls::made, &calls));
    EXPECT_EQ(WaitForSingleObject(timer_, kSoon), WAIT_OBJECT_0);
    EXPECT_EQ(calls.count, 0) << "not without an alertable wait";
    EXPECT_EQ(SleepEx(INFINITE, TRUE), DWORD{WAIT_IO_COMPLETION});
    EXPECT_EQ(calls.count, 1);
    EXPECT_TRUE(before <= calls.last && calls.last <= now());
}

TEST_F(Timers, QueueOneCallAtATime) {
    Calls calls;
    const HANDLE clock = CreateWaitableTimer(nullptr, FALSE, nullptr);
    EXPECT_TRUE(set(timer_, 1, 1, Calls::made, &calls));
    EXPECT_TRUE(set(clock, 1, 10));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(WaitForSingleObject(clock, kSoon), WAIT_OBJECT_0);
    EXPECT_TRUE(set(timer_, 100'000, 0, Calls::made, &calls));
    EXPECT_EQ(SleepEx(0, TRUE), 0u) << "set anew, the call is withdrawn";
    EXPECT_TRUE(set(timer_, 1, 1, Calls::made, &calls));
    for (int i = 1; i <= 3; ++i) {
        EXPECT_EQ(SleepEx(INFINITE, TRUE), DWORD{WAIT_IO_COMPLETION});
        EXPECT_GE(calls.count, i);
    }
    CloseHandle(clock);
}

TEST_F(Timers, CancelledWithdrawTheirCall) {
    Calls calls;
    EXPECT_TRUE(set(timer_, 0, 0, Calls::made, &calls));
    EXPECT_EQ(WaitForSingleObject(timer_, kSoon), WAIT_OBJECT_0);
    EXPECT_TRUE(CancelWaitableTimer(timer_));
    EXPECT_EQ(SleepEx(0, TRUE), 0u);
    EXPECT_EQ(calls.count, 0);
}

struct Setter {
    HANDLE timer;
    PTIMERAPCROUTINE routine;
    Calls calls{};
    static DWORD WINAPI run(LPVOID parameter) {
        auto* const self = static_cast<Setter*>(parameter);
        const LARGE_INTEGER due = in_ms(10);
        return static_cast<DWORD>(SetWaitableTimer(self->timer, &due, 0, self->routine, &self->calls, FALSE));
    }
};

TEST_F(Timers, WithACallEndWithTheirThreadAndOthersDoNot) {
    Setter calling{timer_, Calls::made};
    Setter silent{manual_, nullptr};
    for (Setter* const setter : {&calling, &silent}) {
        const HANDLE thread = CreateThread(nullptr, 0, Setter::run, setter, 0, nullptr);
        EXPECT_EQ(WaitForSingleObject(thread, kSoon), WAIT_OBJECT_0);
        CloseHandle(thread);
    }
    EXPECT_EQ(WaitForSingleObject(manual_, kSoon), WAIT_OBJECT_0);
    EXPECT_EQ(WaitForSingleObject(timer_, 30), DWORD{WAIT_TIMEOUT});
    EXPECT_EQ(calling.calls.count, 0);
}

TEST_F(Timers, AreWaitedForBesideOthers) {
    const HANDLE event = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    const std::array both{event, timer_};
    EXPECT_TRUE(set(timer_, 1));
    EXPECT_EQ(WaitForMultipleObjects(2, both.data(), FALSE, kSoon), WAIT_OBJECT_0 + 1);
    SetEvent(event);
    EXPECT_TRUE(set(timer_, 1));
    EXPECT_EQ(WaitForMultipleObjects(2, both.data(), TRUE, kSoon), WAIT_OBJECT_0);
    CloseHandle(event);
}

TEST_F(Timers, LastAsLongAsAHandle) {
    HANDLE copy = nullptr;
    const HANDLE timer = CreateWaitableTimer(nullptr, TRUE, nullptr);
    EXPECT_TRUE(DuplicateHandle(GetCurrentProcess(), timer, GetCurrentProcess(), &copy, 0, FALSE, 0));
    EXPECT_TRUE(set(timer, 5));
    EXPECT_TRUE(CloseHandle(timer));
    EXPECT_EQ(WaitForSingleObject(copy, kSoon), WAIT_OBJECT_0);
    EXPECT_TRUE(set(copy, 1));
    EXPECT_TRUE(CloseHandle(copy)) << "while it runs";
}

TEST_F(Timers, RefuseWhatCannotBe) {
    EXPECT_EQ(CreateWaitableTimerA(nullptr, TRUE, "name"), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_NOT_SUPPORTED});
    EXPECT_EQ(CreateWaitableTimerExW(nullptr, nullptr, 8, TIMER_ALL_ACCESS), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_FALSE(SetEvent(timer_)) << "a timer is no event";
    EXPECT_FALSE(SetWaitableTimer(timer_, nullptr, 0, nullptr, nullptr, FALSE));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_FALSE(set(timer_, 1, -1));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    const HANDLE event = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    EXPECT_FALSE(set(event, 1));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
    EXPECT_FALSE(CancelWaitableTimer(event));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
    CloseHandle(event);
}

TEST_F(Timers, DoNotWakeTheHost) {
    const LARGE_INTEGER due = in_ms(1);
    SetLastError(ERROR_SUCCESS);
    EXPECT_TRUE(SetWaitableTimer(timer_, &due, 0, nullptr, nullptr, TRUE));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_NOT_SUPPORTED});
    EXPECT_EQ(WaitForSingleObject(timer_, kSoon), WAIT_OBJECT_0);
}

}  // namespace
}  // namespace opennd
