// SPDX-License-Identifier: MIT
// Critical sections, reader-writer locks, condition variables, waiting on an address: under threads that contend.
#include <gtest/gtest.h>
#include <windows.h>

#include <atomic>
#include <thread>
#include <vector>

#include "windows/soon.h"

namespace opennd {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 2'000;

template <typename Work>
void in_threads(Work work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
}

class Section : public testing::TestWithParam<void (*)(CRITICAL_SECTION*)> {};

TEST_P(Section, LetsOneInAtATimeAndThatOneAgain) {
    CRITICAL_SECTION section;
    GetParam()(&section);
    int count = 0;
    in_threads([&] {
        for (int i = 0; i < kRounds; ++i) {
            EnterCriticalSection(&section);
            ASSERT_TRUE(TryEnterCriticalSection(&section));
            ++count;
            LeaveCriticalSection(&section);
            LeaveCriticalSection(&section);
        }
    });
    EXPECT_EQ(count, kThreads * kRounds);
    EnterCriticalSection(&section);
    std::thread([&] { EXPECT_FALSE(TryEnterCriticalSection(&section)); }).join();
    LeaveCriticalSection(&section);
    DeleteCriticalSection(&section);
}
INSTANTIATE_TEST_SUITE_P(Each, Section,
                         testing::Values(
                             InitializeCriticalSection,
                             [](CRITICAL_SECTION* s) { EXPECT_TRUE(InitializeCriticalSectionAndSpinCount(s, 100)); },
                             [](CRITICAL_SECTION* s) { EXPECT_TRUE(InitializeCriticalSectionEx(s, 0, 0)); },
                             [](CRITICAL_SECTION* s) { ZeroMemory(s, sizeof *s); }));

TEST(CriticalSection, OneThatIsZeroCanBeDeleted) {
    CRITICAL_SECTION section{};
    DeleteCriticalSection(&section);
}

TEST(ReaderWriterLock, ExcludesWritersAndSharesReaders) {
    SRWLOCK lock = SRWLOCK_INIT;
    InitializeSRWLock(&lock);
    int count = 0;
    in_threads([&] {
        for (int i = 0; i < kRounds; ++i) {
            AcquireSRWLockExclusive(&lock);
            ++count;
            ReleaseSRWLockExclusive(&lock);
            AcquireSRWLockShared(&lock);
            EXPECT_GT(count, 0);
            ReleaseSRWLockShared(&lock);
        }
    });
    EXPECT_EQ(count, kThreads * kRounds);
    EXPECT_TRUE(TryAcquireSRWLockShared(&lock));
    EXPECT_TRUE(TryAcquireSRWLockShared(&lock));
    EXPECT_FALSE(TryAcquireSRWLockExclusive(&lock));
    ReleaseSRWLockShared(&lock);
    ReleaseSRWLockShared(&lock);
    EXPECT_TRUE(TryAcquireSRWLockExclusive(&lock));
    EXPECT_FALSE(TryAcquireSRWLockShared(&lock));
    ReleaseSRWLockExclusive(&lock);
}

TEST(ConditionVariable, WakesWhoWaitsWithACriticalSection) {
    CRITICAL_SECTION section;
    CONDITION_VARIABLE changed = CONDITION_VARIABLE_INIT;
    InitializeCriticalSection(&section);
    InitializeConditionVariable(&changed);
    int tokens = 0;
    std::thread giver([&] {
        for (int i = 0; i < kThreads; ++i) {
            EnterCriticalSection(&section);
            ++tokens;
            LeaveCriticalSection(&section);
            WakeConditionVariable(&changed);
        }
    });
    in_threads([&] {
        EnterCriticalSection(&section);
        while (tokens == 0) EXPECT_TRUE(SleepConditionVariableCS(&changed, &section, kSoon));
        --tokens;
        LeaveCriticalSection(&section);
    });
    giver.join();
    EXPECT_EQ(tokens, 0);
    EnterCriticalSection(&section);
    EXPECT_FALSE(SleepConditionVariableCS(&changed, &section, 10));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_TIMEOUT});
    LeaveCriticalSection(&section);
}

TEST(ConditionVariable, WakesAllWhoWaitWithAReaderWriterLock) {
    SRWLOCK lock = SRWLOCK_INIT;
    CONDITION_VARIABLE changed = CONDITION_VARIABLE_INIT;
    bool open = false;
    std::thread opener([&] {
        AcquireSRWLockExclusive(&lock);
        open = true;
        ReleaseSRWLockExclusive(&lock);
        WakeAllConditionVariable(&changed);
    });
    in_threads([&] {
        AcquireSRWLockShared(&lock);
        while (!open)
            EXPECT_TRUE(SleepConditionVariableSRW(&changed, &lock, kSoon, CONDITION_VARIABLE_LOCKMODE_SHARED));
        ReleaseSRWLockShared(&lock);
    });
    opener.join();
    AcquireSRWLockExclusive(&lock);
    EXPECT_FALSE(SleepConditionVariableSRW(&changed, &lock, 10, 0));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_TIMEOUT});
    ReleaseSRWLockExclusive(&lock);
}

template <typename Word>
class WaitedWord : public testing::Test {};
using Words = testing::Types<UINT8, UINT16, UINT32, UINT64>;
TYPED_TEST_SUITE(WaitedWord, Words);

TYPED_TEST(WaitedWord, ChangesUnderTheWaiter) {
    alignas(8) std::atomic<TypeParam> word{0};
    TypeParam before = 0;
    EXPECT_FALSE(WaitOnAddress(&word, &before, sizeof before, 10));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_TIMEOUT});
    std::thread changer([&] {
        word = 1;
        WakeByAddressSingle(&word);
        WakeByAddressAll(&word);
    });
    while (word == 0) EXPECT_TRUE(WaitOnAddress(&word, &before, sizeof before, kSoon));
    changer.join();
    EXPECT_TRUE(WaitOnAddress(&word, &before, sizeof before, INFINITE)) << "it differs already";
    EXPECT_FALSE(WaitOnAddress(&word, &before, 3, 0));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

}  // namespace
}  // namespace opennd
