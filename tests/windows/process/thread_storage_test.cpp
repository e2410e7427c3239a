// SPDX-License-Identifier: MIT
// Pointers that each thread has for itself.
#include <gtest/gtest.h>
#include <windows.h>

#include <thread>
#include <vector>

namespace opennd {
namespace {

TEST(ThreadStorage, HasAValueForEachThread) {
    const DWORD index = TlsAlloc();
    ASSERT_NE(index, TLS_OUT_OF_INDEXES);
    int mine = 0, others = 0;
    EXPECT_EQ(TlsGetValue(index), nullptr);
    EXPECT_TRUE(TlsSetValue(index, &mine));
    std::thread([&] {
        EXPECT_EQ(TlsGetValue(index), nullptr);
        EXPECT_TRUE(TlsSetValue(index, &others));
        EXPECT_EQ(TlsGetValue(index), &others);
    }).join();
    EXPECT_EQ(TlsGetValue(index), &mine);
    EXPECT_TRUE(TlsSetValue(index, nullptr));
    EXPECT_EQ(TlsGetValue(index), nullptr);
    EXPECT_TRUE(TlsFree(index));
}

TEST(ThreadStorage, AnIndexThatIsTakenAgainIsNullInEveryThread) {
    const DWORD index = TlsAlloc();
    int value = 0;
    const HANDLE set = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    const HANDLE again = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    std::thread other([&] {
        TlsSetValue(index, &value);
        SetEvent(set);
        WaitForSingleObject(again, INFINITE);
        EXPECT_EQ(TlsGetValue(index), nullptr);
    });
    WaitForSingleObject(set, INFINITE);
    EXPECT_TRUE(TlsFree(index));
    EXPECT_EQ(TlsAlloc(), index);
    SetEvent(again);
    other.join();
    EXPECT_TRUE(TlsFree(index));
    CloseHandle(set);
    CloseHandle(again);
}

TEST(ThreadStorage, ReadingClearsTheLastError) {
    const DWORD index = TlsAlloc();
    SetLastError(ERROR_INVALID_HANDLE);
    int value = 0;
    EXPECT_TRUE(TlsSetValue(index, &value));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE}) << "others that succeed leave it";
    EXPECT_NE(TlsGetValue(index), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_SUCCESS});
    EXPECT_TRUE(TlsFree(index));
}

TEST(ThreadStorage, RefusesWhatIsNoIndex) {
    EXPECT_EQ(TlsGetValue(TLS_OUT_OF_INDEXES), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_FALSE(TlsSetValue(1088, nullptr));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    const DWORD index = TlsAlloc();
    EXPECT_TRUE(TlsFree(index));
    EXPECT_FALSE(TlsFree(index));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

TEST(ThreadStorage, HasAsManyIndicesAsWindows) {
    std::vector<DWORD> indices;
    for (DWORD index = TlsAlloc(); index != TLS_OUT_OF_INDEXES; index = TlsAlloc()) indices.push_back(index);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_NO_MORE_ITEMS});
    EXPECT_GE(indices.size(), std::size_t{TLS_MINIMUM_AVAILABLE});
    EXPECT_LE(indices.size(), 1088u);
    for (const DWORD index : indices) EXPECT_TRUE(TlsFree(index));
}

// A destructor of the thread reads and sets values, too.
TEST(ThreadStorage, IsThereUntilTheThreadEnds) {
    static DWORD index;
    index = TlsAlloc();
    struct Last {
        ~Last() {
            EXPECT_NE(TlsGetValue(index), nullptr);
            EXPECT_TRUE(TlsSetValue(index, this));
        }
    };
    std::thread([] {
        thread_local Last last;
        TlsSetValue(index, &last);
    }).join();
    EXPECT_TRUE(TlsFree(index));
}

}  // namespace
}  // namespace opennd
