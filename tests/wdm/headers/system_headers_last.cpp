// SPDX-License-Identifier: MIT
// See ../CMakeLists.txt. The names that min_max.h would make macros or functions are the C++ library's here.
#include "kernel_headers.h"

#include "../../windows/headers/system_headers.h"

using namespace std;
static_assert(min(1, 2) == 1 && max(1, 2) == 2);
