/* SPDX-License-Identifier: MIT
 * The endings by which Microsoft's compiler tells the width of a literal, in C; clang has them with -fms-extensions. */
#include <windows.h>

static_assert(10ui64 == 10 && sizeof(10ui64) == 8 && 0xFFFFFFFFFFFFFFFFui64 == MAXULONGLONG, "unsigned");
static_assert(-1i64 < 0 && sizeof(1i64) == 8, "signed");
#if 10ui64 != 10
#error "for the preprocessor, too"
#endif

extern int something_to_compile;
