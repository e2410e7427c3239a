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
#include "support/status.h"

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

// The adapter through a provider of the program's own, which it releases.
[[noreturn]] void exit_with_an_adapter_of_a_released_provider() {
    ComPtr<IND2Provider> provider;
    support::require(DllGetClassObject(CLSID_OpenNDProvider, IID_IND2Provider, provider.out()), S_OK,
                     "DllGetClassObject");
    const auto address = support::loopback_address(0);
    UINT64 id = 0;
    support::require(provider->ResolveAddress(support::as_sockaddr(address), sizeof address, &id), S_OK,
                     "ResolveAddress");
    ComPtr<IND2Adapter> adapter, released;
    for (auto* each : {&adapter, &released})
        support::require(provider->OpenAdapter(IID_IND2Adapter, id, each->out()), S_OK, "OpenAdapter");
    provider.reset();
    released.reset();
    static IND2Adapter* const left = adapter.detach();  // known, so that a leak checker finds it
    std::exit(left ? kOk : EXIT_FAILURE);
}

[[noreturn]] void exit_with_a_provider_left() {
    ComPtr<IND2Provider> provider;
    support::require(DllGetClassObject(CLSID_OpenNDProvider, IID_IND2Provider, provider.out()), S_OK,
                     "DllGetClassObject");
    const auto address = support::loopback_address(0);
    UINT64 id = 0;
    provider->ResolveAddress(support::as_sockaddr(address), sizeof address, &id);
    ComPtr<IND2Adapter> adapter;
    provider->OpenAdapter(IID_IND2Adapter, id, adapter.out());
    adapter.reset();
    static IND2Provider* const left = provider.detach();
    std::exit(left ? kOk : EXIT_FAILURE);
}

[[noreturn]] void exit_with_two_kinds_of_one_place_left() {
    static void* left[2];
    const IID* const kinds[] = {&IID_IClassFactory, &IID_IND2Provider};
    for (int i = 0; i < 2; ++i)
        support::require(DllGetClassObject(CLSID_OpenNDProvider, *kinds[i], &left[i]), S_OK, "DllGetClassObject");
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
    EXPECT_EXIT(
        run(), testing::ExitedWithCode(kOk),
        "CHECK-STARTUP: helper functions: NdOpenAdapter: ND_DEVICE_NOT_READY.*exit_test\\.cpp:[0-9]+.*nd explain "
        "CHECK-STARTUP");
}

TEST_F(CheckedExit, ObjectsThatAreLeftAreToldByThePlaceWhereTheyWereMade) {
    EXPECT_EXIT(exit_with_two_queues_left(), testing::ExitedWithCode(kOk),
                "CHECK-LEAK: IND2CompletionQueue: 2 were not released; made at .*exit_test\\.cpp:[0-9]+");
}

TEST_F(CheckedExit, EachKindThatIsLeftHasItsLineAndNoOther) {
    EXPECT_EXIT(
        exit_with_two_queues_left(), testing::ExitedWithCode(kOk),
        "^[^\n]*CHECK-LEAK: IND2Adapter: one was[^\n]*\n[^\n]*CHECK-LEAK: IND2CompletionQueue: 2 were[^\n]*\n$");
}

TEST_F(CheckedExit, EachKindOfOnePlaceHasItsLine) {
    EXPECT_EXIT(exit_with_two_kinds_of_one_place_left(), testing::ExitedWithCode(kOk),
                "CHECK-LEAK: IClassFactory: one was[^\n]*\n[^\n]*CHECK-LEAK: IND2Provider: one was[^\n]*\n$");
}

TEST_F(CheckedExit, AProviderThatItsAdapterKeepsIsNotTold) {
    EXPECT_EXIT(exit_with_an_adapter_of_a_released_provider(), testing::ExitedWithCode(kOk),
                "^[^\n]*CHECK-LEAK: IND2Adapter: one was[^\n]*\n$");
}

TEST_F(CheckedExit, AProviderThatTheProgramKeepsIsTold) {
    EXPECT_EXIT(exit_with_a_provider_left(), testing::ExitedWithCode(kOk),
                "^[^\n]*CHECK-LEAK: IND2Provider: one was[^\n]*\n$");
}

TEST_F(CheckedExit, ObjectsThatWereReleasedAreNotTold) {
    EXPECT_EXIT(exit_with_nothing_left(), testing::ExitedWithCode(kOk), "^nothing is left\n$");
}

TEST_F(CheckedExit, ALineStandsOnceForEachPlaceAndItsCountAtTheEnd) {
    const auto run = [] {
        const volatile int times = 5;  // no loop that the compiler unrolls into five places
        for (int i = 0; i < times; ++i) (void)open_without_startup();
        std::exit(kOk);
    };
    EXPECT_EXIT(run(), testing::ExitedWithCode(kOk),
                "^[^\n]* CHECK-STARTUP[^\n]*\n[^\n]*5 times in all: CHECK-STARTUP[^\n]*\n$");
}

TEST_F(CheckedExit, EachPlaceHasItsLine) {
    const auto run = [] {
        (void)open_without_startup();
        (void)open_without_startup();
        (void)open_without_startup();
        std::exit(kOk);
    };
    EXPECT_EXIT(run(), testing::ExitedWithCode(kOk), "^([^\n]* CHECK-STARTUP: [^\n]*\n){3}$");
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
