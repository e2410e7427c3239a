// SPDX-License-Identifier: MIT
// A module with a DllMain, as in a project for Windows. It reports each call to a function with its address in the
// environment, or to a program's output; and refuses to start if the environment says so.
#include <windows.h>

#include <cstdio>
#include <cstdlib>

extern bool entered_late;  // set by a constructor that is linked behind this file

extern "C" __declspec(dllexport) int entered_answer() { return 42; }

static const char* what(DWORD reason) {
    switch (reason) {
        case DLL_PROCESS_ATTACH: return "attach";
        case DLL_PROCESS_DETACH: return "detach";
        case DLL_THREAD_ATTACH: return "thread";
        case DLL_THREAD_DETACH: return "end of thread";
        default: return "?";
    }
}

extern "C" __declspec(dllexport) BOOL WINAPI DllMain(HINSTANCE hModule, DWORD ul_reason_for_call, LPVOID lpReserved) {
    using Tell = void (*)(HMODULE, DWORD, LPVOID, bool);
    if (const char* const address = std::getenv("OPENND_TEST_TELL"))
        reinterpret_cast<Tell>(std::strtoull(address, nullptr, 16))(hModule, ul_reason_for_call, lpReserved,
                                                                    entered_late);
    else
        std::printf("%s %s;", what(ul_reason_for_call), lpReserved != nullptr ? "with the process" : "alone");
    std::fflush(stdout);
    return ul_reason_for_call != DLL_PROCESS_ATTACH || std::getenv("OPENND_TEST_REFUSE") == nullptr;
}
