// SPDX-License-Identifier: MIT
// A program as Visual Studio makes them: wide arguments, wide output, narrow output between.
#include <tchar.h>
#include <windows.h>

int __cdecl _tmain(int argc, TCHAR* argv[]) {
    if (argc != 3 || _tcsicmp(argv[1], _T("GRÜN")) == 0) return 1;
    const DWORD number = static_cast<DWORD>(_ttol(argv[2]));
    _tprintf(_T("%d arguments: %s "), argc - 1, argv[1]);
    printf("%08lX ", number);
    wprintf(L"both on %S stream\n", "one");
    return 0;
}
