// SPDX-License-Identifier: MIT
// The endings by which Microsoft's compiler tells the width of a literal; clang has them with -fms-extensions.
#include <windows.h>

static_assert(10ui64 == 10 && sizeof(10ui64) == 8 && 0xFFFFFFFFFFFFFFFFui64 == MAXULONGLONG && 1UI64 == 1);
static_assert(-1i64 < 0 && sizeof(1i64) == 8 && 0x7FI64 == 127 && 0ui64 - 1 > 0);
static_assert(sizeof(1i8) == 1 && sizeof(1i16) == 2 && sizeof(1i32) == 4);
static_assert(sizeof(1ui8) == 1 && sizeof(1ui16) == 2 && sizeof(1ui32) == 4);

bool is_three(UINT64 number) {
    switch (number) {
        case 3ui64: return true;
        default: return false;
    }
}
