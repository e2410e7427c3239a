// SPDX-License-Identifier: MIT
// Debuggers: /proc/self/status names the process that traces this one.
#include "win32/debug.h"

#include <cstdio>
#include <fstream>
#include <string>

#include "windows/text/utf8.h"

BOOL IsDebuggerPresent(VOID) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "TracerPid:") return status >> word && word != "0";
    return FALSE;
}

VOID OutputDebugStringA(LPCSTR lpOutputString) {
    if (lpOutputString != nullptr && IsDebuggerPresent()) std::fputs(lpOutputString, stderr);
}

VOID OutputDebugStringW(LPCWSTR lpOutputString) {
    if (lpOutputString != nullptr) OutputDebugStringA(opennd::windows::to_utf8(lpOutputString).c_str());
}
