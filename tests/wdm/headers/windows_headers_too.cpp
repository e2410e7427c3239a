// SPDX-License-Identifier: MIT
// See ../CMakeLists.txt. A host program may speak both: user mode for itself, kernel mode to its consumer.
#include <windows.h>

#include <iphlpapi.h>

#include "kernel_headers.h"

extern int something_to_compile;
