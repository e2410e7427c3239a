// SPDX-License-Identifier: MIT
//
// The checking layer in processes of their own: before NdStartup, at the end, and with OPENND_CHECK=abort.
#include <gtest/gtest.h>
#include <ndsupport.h>
#include <opennd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "support/adapter.h"

namespace opennd {
namespace {

using support::ComPtr;

constexpr int kOk = 0;

HRESULT open_without_startup() {
    const auto address = support::loopback_address(0);
    void* adapter = nullptr;
    return NdOpenAdapter(IID_IND2Adapter, support::as_sockaddr(address), sizeof address, &adapter);
}

[[noreturn]] void exit_with_two_queues_left() {
    NdStartup();
    ComPtr<IND2Adapter> adapter = support::open_loopback_adapter();
    HANDLE file = nullptr;
    adapter->CreateOverlappedFile(&file);
    for (int i = 0; i < 2; ++i) {
        void* queue = nullptr;
        adapter->CreateCompletionQueue(IID_IND2CompletionQueue, file, 16, 0, 0, &queue);
    }
    std::exit(kOk);
}

[[noreturn]] void exit_with_nothing_left() {
    NdStartup();
    { const ComPtr<IND2Adapter> adapter = support::open_loopback_adapter(); }
    NdCleanup();
    std::fputs("nothing is left\n", stderr);
    std::exit(kOk);
}

class CheckedExit : public testing::Test {
protected:
    CheckedExit() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(CheckedExit, ACallBeforeNdStartupIsTold) {
    const auto run = [] {
        (void)open_without_startup();
        std::exit(kOk);
    };
    EXPECT_EXIT(run(), testing::ExitedWithCode(kOk),
                "CHECK-STARTUP: helper functions: NdOpenAdapter: ND_DEVICE_NOT_READY.*check_test\\+0x.*nd explain "
                "CHECK-STARTUP");
}

TEST_F(CheckedExit, ObjectsThatAreLeftAreToldByThePlaceWhereTheyWereMade) {
    EXPECT_EXIT(exit_with_two_queues_left(), testing::ExitedWithCode(kOk),
                "CHECK-LEAK: IND2CompletionQueue: 2 were not released; made at .*check_test\\+0x");
}

TEST_F(CheckedExit, ObjectsThatWereReleasedAreNotTold) {
    EXPECT_EXIT(exit_with_nothing_left(), testing::ExitedWithCode(kOk), "^nothing is left\n$");
}

TEST_F(CheckedExit, ALineStandsOnceForEachPlaceAndItsCountAtTheEnd) {
    const auto run = [] {
        for (int i = 0; i < 5; ++i) (void)open_without_startup();
        std::exit(kOk);
    };
    EXPECT_EXIT(run(), testing::ExitedWithCode(kOk),
                "^[^\n]* CHECK-STARTUP[^\n]*\n[^\n]*5 times in all: CHECK-STARTUP[^\n]*\n$");
}

TEST_F(CheckedExit, AbortEndsTheProcessWithItsLastEvents) {
    const auto run = [] {
        ::setenv("OPENND_CHECK", "abort", 1);
        (void)open_without_startup();
    };
    EXPECT_EXIT(
        run(), testing::KilledBySignal(SIGABRT),
        "OPENND_CHECK=abort.*last events:.*thread [0-9]+: helper functions: NdOpenAdapter: ND_DEVICE_NOT_READY");
}

TEST_F(CheckedExit, OffTellsNothing) {
    const auto run = [] {
        ::setenv("OPENND_CHECK", "off", 1);
        (void)open_without_startup();
        std::fputs("nothing is told\n", stderr);
        std::exit(kOk);
    };
    EXPECT_EXIT(run(), testing::ExitedWithCode(kOk), "^nothing is told\n$");
}

}  // namespace
}  // namespace opennd
