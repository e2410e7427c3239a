// SPDX-License-Identifier: MIT
// Events, and waits for one or many.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "windows.h"
#include "windows/soon.h"

namespace opennd {
namespace {

class Events : public testing::Test {
protected:
    ~Events() override {
        for (const HANDLE event : events_) CloseHandle(event);
    }
    HANDLE make(BOOL manual_reset, BOOL signalled = FALSE) {
        events_.push_back(CreateEvent(nullptr, manual_reset, signalled, nullptr));
        EXPECT_NE(events_.back(), nullptr);
        return events_.back();
    }
    static DWORD look(HANDLE event) { return WaitForSingleObject(event, 0); }

    std::vector<HANDLE> events_;
};

TEST_F(Events, AnAutomaticOneIsConsumedAManualOneStays) {
    const HANDLE automatic = make(FALSE, TRUE);
    const HANDLE manual = make(TRUE, TRUE);
    EXPECT_EQ(look(automatic), WAIT_OBJECT_0);
    EXPECT_EQ(look(automatic), DWORD{WAIT_TIMEOUT});
    EXPECT_EQ(look(manual), WAIT_OBJECT_0);
    EXPECT_EQ(look(manual), WAIT_OBJECT_0);
    EXPECT_TRUE(ResetEvent(manual));
    EXPECT_EQ(look(manual), DWORD{WAIT_TIMEOUT});
}

TEST_F(Events, HaveNoNames) {
    EXPECT_EQ(CreateEventA(nullptr, TRUE, TRUE, "name"), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_NOT_SUPPORTED});
    EXPECT_EQ(CreateEventW(nullptr, TRUE, TRUE, L"name"), nullptr);
}

TEST_F(Events, TheFirstSignalledOfManyIsTakenAlone) {
    const std::array events{make(FALSE), make(FALSE, TRUE), make(FALSE, TRUE)};
    EXPECT_EQ(WaitForMultipleObjects(3, events.data(), FALSE, 0), WAIT_OBJECT_0 + 1);
    EXPECT_EQ(WaitForMultipleObjects(3, events.data(), FALSE, 0), WAIT_OBJECT_0 + 2);
    EXPECT_EQ(WaitForMultipleObjects(3, events.data(), FALSE, 10), DWORD{WAIT_TIMEOUT});
}

TEST_F(Events, AreWaitedForAlertablyAsOtherwise) {
    const std::array events{make(FALSE, TRUE), make(FALSE)};
    EXPECT_EQ(WaitForSingleObjectEx(events[0], 0, TRUE), WAIT_OBJECT_0);
    EXPECT_EQ(WaitForSingleObjectEx(events[0], 10, TRUE), DWORD{WAIT_TIMEOUT});
    EXPECT_EQ(WaitForMultipleObjectsEx(2, events.data(), FALSE, 10, TRUE), DWORD{WAIT_TIMEOUT});
    SetEvent(events[1]);
    EXPECT_EQ(WaitForMultipleObjectsEx(2, events.data(), TRUE, 10, FALSE), DWORD{WAIT_TIMEOUT});
    EXPECT_EQ(WaitForMultipleObjectsEx(2, events.data(), FALSE, kSoon, FALSE), WAIT_OBJECT_0 + 1);
}

TEST_F(Events, AllAreTakenTogetherOrNotAtAll) {
    const std::array events{make(FALSE, TRUE), make(TRUE), make(FALSE, TRUE)};
    EXPECT_EQ(WaitForMultipleObjects(3, events.data(), TRUE, 10), DWORD{WAIT_TIMEOUT});
    EXPECT_EQ(look(events[0]), WAIT_OBJECT_0) << "nothing was consumed";
    SetEvent(events[0]);
    std::thread late([&] { SetEvent(events[1]); });
    EXPECT_EQ(WaitForMultipleObjects(3, events.data(), TRUE, kSoon), WAIT_OBJECT_0);
    late.join();
    EXPECT_EQ(look(events[0]), DWORD{WAIT_TIMEOUT});
    EXPECT_EQ(look(events[1]), WAIT_OBJECT_0);
    EXPECT_EQ(look(events[2]), DWORD{WAIT_TIMEOUT});
}

TEST_F(Events, EachSignalWakesOneOfManyWaiters) {
    const std::array events{make(FALSE), make(FALSE)};
    const HANDLE taken = make(FALSE);
    std::atomic<int> woken{0};
    std::vector<std::thread> waiters;
    for (int i = 0; i < 8; ++i)
        waiters.emplace_back([&] {
            EXPECT_LT(WaitForMultipleObjects(2, events.data(), FALSE, kSoon), 2u);
            ++woken;
            SetEvent(taken);
        });
    for (int i = 0; i < 8; ++i) {
        SetEvent(events[static_cast<std::size_t>(i % 2)]);
        EXPECT_EQ(WaitForSingleObject(taken, kSoon), WAIT_OBJECT_0);
    }
    for (std::thread& waiter : waiters) waiter.join();
    EXPECT_EQ(woken, 8);
    EXPECT_EQ(WaitForMultipleObjects(2, events.data(), FALSE, 0), DWORD{WAIT_TIMEOUT});
}

TEST_F(Events, WaitsForWhatCannotBeAreRefused) {
    const HANDLE event = make(TRUE, TRUE);
    const std::array twice{event, event};
    EXPECT_EQ(WaitForMultipleObjects(2, twice.data(), FALSE, 0), WAIT_OBJECT_0);
    EXPECT_EQ(WaitForMultipleObjects(2, twice.data(), TRUE, 0), WAIT_FAILED);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(WaitForMultipleObjects(0, twice.data(), FALSE, 0), WAIT_FAILED);
    EXPECT_EQ(WaitForMultipleObjects(MAXIMUM_WAIT_OBJECTS + 1, twice.data(), FALSE, 0), WAIT_FAILED);
    const std::array wrong{event, HANDLE{}};
    EXPECT_EQ(WaitForMultipleObjects(2, wrong.data(), FALSE, 0), WAIT_FAILED);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
}

}  // namespace
}  // namespace opennd
