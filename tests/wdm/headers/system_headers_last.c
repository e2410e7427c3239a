/* SPDX-License-Identifier: MIT
 * See ../CMakeLists.txt. */
#include "kernel_headers.h"

#include "../../windows/headers/system_headers.h"

extern int something_to_compile;
