/* SPDX-License-Identifier: MIT
 * A module in C with a DllMain that shows itself, beside others of that name in the process. */
#include <windows.h>

__declspec(dllexport) HINSTANCE entered_module;
__declspec(dllexport) int entered_calls;

__declspec(dllexport) BOOL WINAPI DllMain(HINSTANCE hinstDLL, DWORD fdwReason, LPVOID lpvReserved) {
    (void)lpvReserved;
    if (fdwReason == DLL_PROCESS_ATTACH) entered_module = hinstDLL;
    ++entered_calls;
    return TRUE;
}
