// SPDX-License-Identifier: MIT
// Mutexes: held by a thread, as often as it likes, until it lets go or ends.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "opennd.h"
#include "windows.h"
#include "windows/soon.h"

namespace opennd {
namespace {

class Mutexes : public testing::Test {
protected:
    ~Mutexes() override {
        for (const HANDLE mutex : mutexes_) CloseHandle(mutex);
    }
    HANDLE make(BOOL owned = FALSE) {
        mutexes_.push_back(CreateMutex(nullptr, owned, nullptr));
        EXPECT_NE(mutexes_.back(), nullptr);
        return mutexes_.back();
    }
    static DWORD look(HANDLE mutex) { return WaitForSingleObject(mutex, 0); }
    // Another thread's look, which lets go again.
    static DWORD look_elsewhere(HANDLE mutex) {
        DWORD result = 0;
        std::thread([&] {
            result = look(mutex);
            if (result == WAIT_OBJECT_0 || result == WAIT_ABANDONED) {
                EXPECT_TRUE(ReleaseMutex(mutex));
            }
        }).join();
        return result;
    }

    std::vector<HANDLE> mutexes_;
};

TEST_F(Mutexes, AreTakenAsOftenAsTheirThreadLikes) {
    const HANDLE mutex = make();
    EXPECT_EQ(look(mutex), WAIT_OBJECT_0);
    EXPECT_EQ(look(mutex), WAIT_OBJECT_0);
    EXPECT_EQ(look_elsewhere(mutex), DWORD{WAIT_TIMEOUT});
    EXPECT_TRUE(ReleaseMutex(mutex));
    EXPECT_EQ(look_elsewhere(mutex), DWORD{WAIT_TIMEOUT});
    EXPECT_TRUE(ReleaseMutex(mutex));
    EXPECT_EQ(look_elsewhere(mutex), WAIT_OBJECT_0);
    EXPECT_FALSE(ReleaseMutex(mutex));
    EXPECT_EQ(GetLastError(), 288u) << "ERROR_NOT_OWNER";
}

TEST_F(Mutexes, AreMadeHeldOnRequest) {
    const HANDLE mutex = make(TRUE);
    EXPECT_EQ(look_elsewhere(mutex), DWORD{WAIT_TIMEOUT});
    std::thread([&] {
        EXPECT_FALSE(ReleaseMutex(mutex));
        EXPECT_EQ(GetLastError(), DWORD{ERROR_NOT_OWNER});
    }).join();
    EXPECT_TRUE(ReleaseMutex(mutex));
    EXPECT_EQ(look_elsewhere(mutex), WAIT_OBJECT_0);
}

DWORD WINAPI take_and_end(LPVOID mutex) {
    EXPECT_EQ(WaitForSingleObject(mutex, kSoon), WAIT_OBJECT_0);
    EXPECT_EQ(WaitForSingleObject(mutex, kSoon), WAIT_OBJECT_0) << "twice";
    return 0;
}

TEST_F(Mutexes, OfAThreadThatEndsAreAbandonedOnce) {
    const HANDLE mutex = make();
    const HANDLE thread = CreateThread(nullptr, 0, take_and_end, mutex, 0, nullptr);
    EXPECT_EQ(WaitForSingleObject(thread, kSoon), WAIT_OBJECT_0);
    // As soon as the thread's end is known, so is this.
    EXPECT_EQ(look(mutex), 0x80u) << "WAIT_ABANDONED";
    EXPECT_TRUE(ReleaseMutex(mutex));
    EXPECT_EQ(look(mutex), WAIT_OBJECT_0);
    EXPECT_TRUE(ReleaseMutex(mutex));
    CloseHandle(thread);
}

TEST_F(Mutexes, OfAThreadOfTheSystemAreAbandonedToo) {
    const HANDLE mutex = make();
    std::thread([&] { EXPECT_EQ(look(mutex), WAIT_OBJECT_0); }).join();
    EXPECT_EQ(WaitForSingleObject(mutex, kSoon), DWORD{WAIT_ABANDONED});
    EXPECT_TRUE(ReleaseMutex(mutex));
}

TEST_F(Mutexes, AreWaitedForAmongMany) {
    const HANDLE held = make(TRUE);
    const HANDLE free = make();
    const HANDLE abandoned = make();
    const HANDLE event = CreateEvent(nullptr, FALSE, TRUE, nullptr);
    std::thread([&] { EXPECT_EQ(look(abandoned), WAIT_OBJECT_0); }).join();
    const std::array any{abandoned, free};
    EXPECT_EQ(WaitForMultipleObjects(2, any.data(), FALSE, 0), DWORD{WAIT_ABANDONED_0});
    EXPECT_EQ(look_elsewhere(abandoned), DWORD{WAIT_TIMEOUT});
    EXPECT_TRUE(ReleaseMutex(abandoned));
    std::thread([&] { EXPECT_EQ(look(abandoned), WAIT_OBJECT_0); }).join();
    const std::array all{held, event, free, abandoned};
    EXPECT_EQ(WaitForMultipleObjects(4, all.data(), TRUE, kSoon), WAIT_ABANDONED_0 + 3);
    EXPECT_EQ(look(event), DWORD{WAIT_TIMEOUT});
    for (const HANDLE mutex : {held, held, free, abandoned}) EXPECT_TRUE(ReleaseMutex(mutex));
    for (const HANDLE mutex : {held, free, abandoned}) EXPECT_FALSE(ReleaseMutex(mutex));
    CloseHandle(event);
}

TEST_F(Mutexes, AWaitForAllTakesNoneBeforeAll) {
    const HANDLE mine = make(TRUE);
    const HANDLE other = make();
    std::atomic<bool> taken{false};
    std::thread holder([&] {
        EXPECT_EQ(look(other), WAIT_OBJECT_0);
        taken = true;
        taken.notify_all();
        taken.wait(true);
        EXPECT_TRUE(ReleaseMutex(other));
    });
    taken.wait(false);
    const std::array both{mine, other};
    EXPECT_EQ(WaitForMultipleObjects(2, both.data(), TRUE, 10), DWORD{WAIT_TIMEOUT});
    EXPECT_TRUE(ReleaseMutex(mine));
    EXPECT_FALSE(ReleaseMutex(mine)) << "not taken a second time";
    taken = false;
    taken.notify_all();
    EXPECT_EQ(WaitForMultipleObjects(2, both.data(), TRUE, kSoon), WAIT_OBJECT_0);
    for (const HANDLE mutex : both) EXPECT_TRUE(ReleaseMutex(mutex));
    holder.join();
}

// The count itself is guarded by nothing but the mutex.
TEST_F(Mutexes, GuardWhatTheyGuard) {
    const HANDLE mutex = make();
    int count = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int j = 0; j < 500; ++j) {
                EXPECT_EQ(WaitForSingleObject(mutex, kSoon), WAIT_OBJECT_0);
                ++count;
                EXPECT_TRUE(ReleaseMutex(mutex));
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(count, 2000);
}

TEST_F(Mutexes, AreNoEventsAndEventsNoMutexes) {
    const HANDLE mutex = make();
    EXPECT_FALSE(SetEvent(mutex));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
    const HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
    EXPECT_FALSE(ReleaseMutex(event));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
    EXPECT_FALSE(ReleaseMutex(nullptr));
    CloseHandle(event);
}

TEST_F(Mutexes, ADuplicateIsTheSameOne) {
    const HANDLE mutex = make();
    HANDLE copy = nullptr;
    const HANDLE process = GetCurrentProcess();
    ASSERT_TRUE(DuplicateHandle(process, mutex, process, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS));
    EXPECT_EQ(look(copy), WAIT_OBJECT_0);
    EXPECT_EQ(look_elsewhere(mutex), DWORD{WAIT_TIMEOUT});
    EXPECT_TRUE(ReleaseMutex(mutex));
    EXPECT_TRUE(CloseHandle(copy));
    EXPECT_EQ(look_elsewhere(mutex), WAIT_OBJECT_0);
}

void keep_line(void* lines, opennd_log_level, const char* message) {
    static_cast<std::vector<std::string>*>(lines)->emplace_back(message);
}

TEST_F(Mutexes, HaveNoNamesNorHaveEventsAndThatIsSaid) {
    std::vector<std::string> lines;
    ASSERT_EQ(opennd_log_sink(keep_line, &lines, OPENND_LOG_WARN), ND_SUCCESS);
    EXPECT_EQ(CreateMutexA(nullptr, FALSE, "name"), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_NOT_SUPPORTED});
    EXPECT_EQ(CreateMutexW(nullptr, FALSE, L"Global\\name"), nullptr);
    EXPECT_EQ(CreateEventW(nullptr, TRUE, TRUE, L"Local\\name"), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_NOT_SUPPORTED});
    opennd_log_sink(nullptr, nullptr, OPENND_LOG_ERROR);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_NE(lines[0].find("CreateMutex: asked for an object with a name"), std::string::npos) << lines[0];
    EXPECT_NE(lines[2].find("CreateEvent: asked for an object with a name"), std::string::npos) << lines[2];
}

}  // namespace
}  // namespace opennd
