// SPDX-License-Identifier: MIT
// CoInitialize and its kin, StringFromGUID2.
#include "win32/com_functions.h"

#include <algorithm>
#include <cstdio>

HRESULT CoInitialize(LPVOID) { return S_OK; }

HRESULT CoInitializeEx(LPVOID, DWORD) { return S_OK; }

VOID CoUninitialize(VOID) {}

int StringFromGUID2(REFGUID rguid, LPOLESTR lpsz, int cchMax) {
    char text[64];
    const UINT8* const d = rguid.Data4;
    const int length =
        std::snprintf(text, sizeof text, "{%08X-%04X-%04X-%02X%02X-%02X%02X%02X%02X%02X%02X}", rguid.Data1, rguid.Data2,
                      rguid.Data3, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]) +
        1;
    if (lpsz == nullptr || cchMax < length) return 0;
    std::copy_n(text, length, lpsz);
    return length;
}
