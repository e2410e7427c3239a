// SPDX-License-Identifier: MIT
// DllMain is called when a module comes and goes, and when threads do.
#include <gtest/gtest.h>
#include <windows.h>

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <vector>

#include "windows/soon.h"

namespace opennd {
namespace {

struct Call {
    HMODULE module;
    DWORD reason;
    LPVOID reserved;
    bool behind_constructors;

    friend bool operator==(const Call&, const Call&) = default;
};

std::mutex mutex;
std::vector<Call> calls;  // guarded by mutex

void tell(HMODULE module, DWORD reason, LPVOID reserved, bool behind_constructors) {
    const std::lock_guard held(mutex);
    calls.push_back({module, reason, reserved, behind_constructors});
}

class ModuleEntry : public testing::Test {
protected:
    ModuleEntry() {
        char address[20];
        std::snprintf(address, sizeof address, "%llx",
                      static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(&tell)));
        SetEnvironmentVariableA("OPENND_TEST_TELL", address);
        take();
    }
    ~ModuleEntry() override {
        SetEnvironmentVariableA("OPENND_TEST_TELL", nullptr);
        SetEnvironmentVariableA("OPENND_TEST_REFUSE", nullptr);
    }
    static std::vector<Call> take() {
        const std::lock_guard held(mutex);
        return std::exchange(calls, {});
    }
    static void run_thread() {
        const HANDLE thread = CreateThread(
            nullptr, 0, [](LPVOID) -> DWORD { return 0; }, nullptr, 0, nullptr);
        EXPECT_EQ(WaitForSingleObject(thread, kSoon), WAIT_OBJECT_0);
        CloseHandle(thread);
    }
};

TEST_F(ModuleEntry, IsCalledByLoadAndFree) {
    HMODULE const module = LoadLibraryA(OPENND_ENTERED_MODULE);
    ASSERT_NE(module, nullptr);
    EXPECT_EQ(take(), (std::vector<Call>{{module, 1, nullptr, true}})) << "DLL_PROCESS_ATTACH, behind all constructors";
    EXPECT_EQ(LoadLibraryA(OPENND_ENTERED_MODULE), module);
    EXPECT_TRUE(FreeLibrary(module));
    EXPECT_TRUE(take().empty()) << "one reference more, one less";
    EXPECT_TRUE(FreeLibrary(module));
    EXPECT_EQ(take(), (std::vector<Call>{{module, 0, nullptr, true}})) << "DLL_PROCESS_DETACH, before all destructors";
    EXPECT_EQ(GetModuleHandleA(OPENND_ENTERED_MODULE), nullptr);
}

TEST_F(ModuleEntry, LetsTheModuleRefuse) {
    SetEnvironmentVariableA("OPENND_TEST_REFUSE", "1");
    EXPECT_EQ(LoadLibraryA(OPENND_ENTERED_MODULE), nullptr);
    EXPECT_EQ(GetLastError(), 1114u) << "ERROR_DLL_INIT_FAILED";
    const std::vector<Call> called = take();
    ASSERT_EQ(called.size(), 2u);
    EXPECT_EQ(called[0].reason, DWORD{DLL_PROCESS_ATTACH});
    EXPECT_EQ(called[1].reason, DWORD{DLL_PROCESS_DETACH}) << "once";
    EXPECT_EQ(GetModuleHandleA(OPENND_ENTERED_MODULE), nullptr);
    SetEnvironmentVariableA("OPENND_TEST_REFUSE", nullptr);
    HMODULE const module = LoadLibraryA(OPENND_ENTERED_MODULE);
    EXPECT_NE(module, nullptr);
    FreeLibrary(module);
}

TEST_F(ModuleEntry, IsToldOfThreadsUntilItAsksNotToBe) {
    HMODULE const module = LoadLibraryA(OPENND_ENTERED_MODULE);
    take();
    run_thread();
    EXPECT_EQ(take(), (std::vector<Call>{{module, 2, nullptr, true}, {module, 3, nullptr, true}}))
        << "DLL_THREAD_ATTACH, DLL_THREAD_DETACH, before the thread's end is known";
    EXPECT_TRUE(DisableThreadLibraryCalls(module));
    run_thread();
    EXPECT_TRUE(take().empty());
    EXPECT_TRUE(FreeLibrary(module));
    EXPECT_EQ(take().size(), 1u);
    run_thread();
    EXPECT_TRUE(take().empty()) << "it is gone";
    EXPECT_FALSE(DisableThreadLibraryCalls(nullptr));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
}

TEST_F(ModuleEntry, BelongsToItsModuleAlone) {
    HMODULE const one = LoadLibraryA(OPENND_ENTERED_MODULE);
    HMODULE const other = LoadLibraryA(OPENND_ENTERED_C_MODULE);
    ASSERT_NE(other, nullptr);
    EXPECT_EQ(take().size(), 1u) << "of the first alone";
    EXPECT_EQ(*reinterpret_cast<int*>(GetProcAddress(other, "entered_calls")), 1);
    EXPECT_EQ(*reinterpret_cast<HINSTANCE*>(GetProcAddress(other, "entered_module")), other);
    EXPECT_TRUE(FreeLibrary(other));
    EXPECT_TRUE(take().empty());
    EXPECT_TRUE(FreeLibrary(one));
}

}  // namespace
}  // namespace opennd
