// SPDX-License-Identifier: MIT
// A program that a module with a DllMain comes with. Its own would never be called, on Windows either.
#include <windows.h>

#include <cstdio>

extern "C" __declspec(dllimport) int entered_answer();

BOOL APIENTRY DllMain(HMODULE, DWORD, LPVOID) {
    std::printf("the program's own;");
    return FALSE;
}

int main() {
    std::printf("main %d;", entered_answer());
    std::fflush(stdout);
    return 0;
}
