// SPDX-License-Identifier: MIT
// Calls queued to threads, and the waits that make them.
#include <gtest/gtest.h>
#include <windows.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "windows/soon.h"

namespace opennd {
namespace {

thread_local std::vector<ULONG_PTR> made;  // by this thread

VOID NTAPI note(ULONG_PTR data) { made.push_back(data); }
VOID NTAPI note_and_queue(ULONG_PTR data) {
    made.push_back(data);
    if (data < 3) QueueUserAPC(note_and_queue, GetCurrentThread(), data + 1);
}
VOID NTAPI note_and_sleep(ULONG_PTR data) {
    made.push_back(data);
    EXPECT_EQ(SleepEx(0, TRUE), data == 1 ? DWORD{WAIT_IO_COMPLETION} : 0u) << "the next call, within this one";
    made.push_back(data + 10);
}

class Apcs : public testing::Test {
protected:
    Apcs() { made.clear(); }
    ~Apcs() override {
        SleepEx(0, TRUE);
        CloseHandle(event_);
    }
    static DWORD queue(ULONG_PTR data) { return QueueUserAPC(note, GetCurrentThread(), data); }

    const HANDLE event_ = CreateEvent(nullptr, FALSE, FALSE, nullptr);
};

TEST_F(Apcs, WaitForAnAlertableWait) {
    EXPECT_NE(queue(1), 0u);
    EXPECT_NE(queue(2), 0u);
    EXPECT_EQ(SleepEx(0, FALSE), 0u);
    EXPECT_EQ(WaitForSingleObject(event_, 0), DWORD{WAIT_TIMEOUT});
    EXPECT_EQ(WaitForSingleObjectEx(event_, 0, FALSE), DWORD{WAIT_TIMEOUT});
    EXPECT_TRUE(made.empty());
    EXPECT_EQ(SleepEx(INFINITE, TRUE), DWORD{WAIT_IO_COMPLETION});
    EXPECT_EQ(made, (std::vector<ULONG_PTR>{1, 2}));
    EXPECT_EQ(SleepEx(0, TRUE), 0u);
}

TEST_F(Apcs, AreMadeByEachKindOfWait) {
    const std::array events{event_, CreateEvent(nullptr, TRUE, TRUE, nullptr)};
    queue(1);
    EXPECT_EQ(WaitForSingleObjectEx(event_, INFINITE, TRUE), DWORD{WAIT_IO_COMPLETION});
    queue(2);
    EXPECT_EQ(WaitForMultipleObjectsEx(1, events.data(), FALSE, INFINITE, TRUE), DWORD{WAIT_IO_COMPLETION});
    queue(3);
    EXPECT_EQ(WaitForMultipleObjectsEx(2, events.data(), TRUE, INFINITE, TRUE), DWORD{WAIT_IO_COMPLETION});
    const HANDLE port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 0);
    OVERLAPPED_ENTRY entry{};
    ULONG count = 0;
    queue(4);
    EXPECT_FALSE(GetQueuedCompletionStatusEx(port, &entry, 1, &count, INFINITE, TRUE));
    EXPECT_EQ(GetLastError(), DWORD{WAIT_IO_COMPLETION});
    EXPECT_EQ(made, (std::vector<ULONG_PTR>{1, 2, 3, 4}));
    CloseHandle(port);
    CloseHandle(events[1]);
}

TEST_F(Apcs, GiveWayToAHandleThatIsSignalled) {
    queue(1);
    SetEvent(event_);
    EXPECT_EQ(WaitForSingleObjectEx(event_, INFINITE, TRUE), WAIT_OBJECT_0);
    EXPECT_TRUE(made.empty());
    const HANDLE port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 0);
    PostQueuedCompletionStatus(port, 5, 6, nullptr);
    OVERLAPPED_ENTRY entry{};
    ULONG count = 0;
    EXPECT_TRUE(GetQueuedCompletionStatusEx(port, &entry, 1, &count, INFINITE, TRUE));
    EXPECT_TRUE(count == 1 && entry.lpCompletionKey == 6 && made.empty());
    EXPECT_FALSE(GetQueuedCompletionStatusEx(port, &entry, 1, &count, 0, FALSE));
    EXPECT_EQ(GetLastError(), DWORD{WAIT_TIMEOUT});
    CloseHandle(port);
}

TEST_F(Apcs, OfOthersWaitTheirTimeInVain) {
    EXPECT_EQ(WaitForSingleObjectEx(event_, 10, TRUE), DWORD{WAIT_TIMEOUT});
    EXPECT_EQ(SleepEx(10, TRUE), 0u);
    const HANDLE port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 0);
    OVERLAPPED_ENTRY entry{};
    ULONG count = 0;
    EXPECT_FALSE(GetQueuedCompletionStatusEx(port, &entry, 1, &count, 10, TRUE));
    EXPECT_EQ(GetLastError(), DWORD{WAIT_TIMEOUT});
    EXPECT_FALSE(GetQueuedCompletionStatusEx(event_, &entry, 1, &count, 10, TRUE));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
    CloseHandle(port);
}

TEST_F(Apcs, AnAlertableWaitTakesAMutex) {
    const HANDLE mutex = CreateMutex(nullptr, FALSE, nullptr);
    EXPECT_EQ(WaitForSingleObjectEx(mutex, 0, TRUE), WAIT_OBJECT_0);
    EXPECT_TRUE(ReleaseMutex(mutex));
    EXPECT_FALSE(ReleaseMutex(mutex));
    CloseHandle(mutex);
}

TEST_F(Apcs, ThatComeMeanwhileAreMadeToo) {
    QueueUserAPC(note_and_queue, GetCurrentThread(), 1);
    EXPECT_EQ(SleepEx(0, TRUE), DWORD{WAIT_IO_COMPLETION});
    EXPECT_EQ(made, (std::vector<ULONG_PTR>{1, 2, 3}));
}

TEST_F(Apcs, MayWaitThemselves) {
    QueueUserAPC(note_and_sleep, GetCurrentThread(), 1);
    QueueUserAPC(note_and_sleep, GetCurrentThread(), 2);
    EXPECT_EQ(SleepEx(0, TRUE), DWORD{WAIT_IO_COMPLETION});
    EXPECT_EQ(made, (std::vector<ULONG_PTR>{1, 2, 12, 11}));
}

// A thread that waits in one of three ways, until it is told by a call.
struct Waiter {
    enum class Way { sleep, one, port };
    Way way;
    HANDLE ready = CreateEvent(nullptr, FALSE, FALSE, nullptr);
    HANDLE never = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    HANDLE port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 0);
    DWORD result = 0;

    explicit Waiter(Way how) : way(how) {}
    ~Waiter() {
        for (const HANDLE handle : {ready, never, port}) CloseHandle(handle);
    }

    static DWORD WINAPI run(LPVOID parameter) {
        auto* const self = static_cast<Waiter*>(parameter);
        made.clear();
        SetEvent(self->ready);
        self->result = self->wait();
        return static_cast<DWORD>(made.size());
    }
    DWORD wait() const {
        if (way == Way::sleep) return SleepEx(INFINITE, TRUE);
        if (way == Way::one) return WaitForSingleObjectEx(never, INFINITE, TRUE);
        OVERLAPPED_ENTRY entry{};
        ULONG count = 0;
        return GetQueuedCompletionStatusEx(port, &entry, 1, &count, INFINITE, TRUE) ? 0 : GetLastError();
    }
};

TEST_F(Apcs, EndTheWaitOfAnotherThread) {
    for (const auto way : {Waiter::Way::sleep, Waiter::Way::one, Waiter::Way::port}) {
        Waiter waiter(way);
        const HANDLE thread = CreateThread(nullptr, 0, Waiter::run, &waiter, 0, nullptr);
        EXPECT_EQ(WaitForSingleObject(waiter.ready, kSoon), WAIT_OBJECT_0);
        EXPECT_NE(QueueUserAPC(note, thread, 7), 0u);
        EXPECT_EQ(WaitForSingleObject(thread, kSoon), WAIT_OBJECT_0);
        DWORD calls = 0;
        EXPECT_TRUE(GetExitCodeThread(thread, &calls));
        EXPECT_EQ(calls, 1u);
        EXPECT_EQ(waiter.result, DWORD{WAIT_IO_COMPLETION});
        EXPECT_EQ(QueueUserAPC(note, thread, 8), 0u) << "it has ended";
        EXPECT_EQ(GetLastError(), DWORD{ERROR_GEN_FAILURE});
        CloseHandle(thread);
    }
}

TEST_F(Apcs, AWaitForAPortThatIsClosedEnds) {
    Waiter waiter(Waiter::Way::port);
    const HANDLE thread = CreateThread(nullptr, 0, Waiter::run, &waiter, 0, nullptr);
    EXPECT_EQ(WaitForSingleObject(waiter.ready, kSoon), WAIT_OBJECT_0);
    CloseHandle(waiter.port);
    EXPECT_EQ(WaitForSingleObject(thread, kSoon), WAIT_OBJECT_0);
    EXPECT_TRUE(waiter.result == ERROR_ABANDONED_WAIT_0 || waiter.result == ERROR_INVALID_HANDLE) << waiter.result;
    waiter.port = CreateEvent(nullptr, TRUE, FALSE, nullptr);  // for the destructor
    CloseHandle(thread);
}

TEST_F(Apcs, ThatCannotBeQueuedAreRefused) {
    EXPECT_EQ(QueueUserAPC(nullptr, GetCurrentThread(), 1), 0u);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(QueueUserAPC(note, event_, 1), 0u);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
}

TEST_F(Apcs, ComeFromManyThreadsAtOnce) {
    constexpr int kThreads = 4, kEach = 500;
    std::atomic<bool> go{false};
    struct Counter {
        std::atomic<int> calls{0};
        static VOID NTAPI count(ULONG_PTR counter) { ++reinterpret_cast<Counter*>(counter)->calls; }
        static DWORD WINAPI run(LPVOID parameter) {
            auto* const counter = static_cast<Counter*>(parameter);
            while (counter->calls < kThreads * kEach) SleepEx(INFINITE, TRUE);
            return 0;
        }
    } counter;
    const HANDLE self = CreateThread(nullptr, 0, Counter::run, &counter, 0, nullptr);
    std::vector<std::thread> senders;
    for (int i = 0; i < kThreads; ++i)
        senders.emplace_back([&] {
            go.wait(false);
            for (int n = 0; n < kEach; ++n)
                EXPECT_NE(QueueUserAPC(Counter::count, self, reinterpret_cast<ULONG_PTR>(&counter)), 0u);
        });
    go = true;
    go.notify_all();
    for (std::thread& sender : senders) sender.join();
    EXPECT_EQ(WaitForSingleObject(self, kSoon), WAIT_OBJECT_0);
    EXPECT_EQ(counter.calls, kThreads * kEach);
    CloseHandle(self);
}

// The thread that it is queued to may have begun: then the call waits for its first alertable wait.
TEST_F(Apcs, QueuedBeforeTheThreadBeginsOrWhileItRunsIsMadeByIt) {
    for (int i = 0; i < 50; ++i) {
        struct Flag {
            std::atomic<bool> set{false};
            static VOID NTAPI raise(ULONG_PTR flag) { reinterpret_cast<Flag*>(flag)->set = true; }
            static DWORD WINAPI run(LPVOID flag) {
                while (!static_cast<Flag*>(flag)->set) SleepEx(INFINITE, TRUE);
                return 0;
            }
        } flag;
        const HANDLE thread = CreateThread(nullptr, 0, Flag::run, &flag, 0, nullptr);
        EXPECT_NE(QueueUserAPC(Flag::raise, thread, reinterpret_cast<ULONG_PTR>(&flag)), 0u);
        EXPECT_EQ(WaitForSingleObject(thread, kSoon), WAIT_OBJECT_0);
        CloseHandle(thread);
    }
}

}  // namespace
}  // namespace opennd
