// SPDX-License-Identifier: MIT
// See ../CMakeLists.txt.
#include "../../windows/headers/system_headers.h"

#include "kernel_headers.h"

extern int something_to_compile;
