/* SPDX-License-Identifier: MIT
 * See CMakeLists.txt. */
#include "../windows/system_headers.h"

#include "kernel_headers.h"

extern int something_to_compile;
