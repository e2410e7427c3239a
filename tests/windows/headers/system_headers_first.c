/* SPDX-License-Identifier: MIT
 * The system, then Windows. */
#include "system_headers.h"
#include "windows_headers.h"
C_ASSERT(sizeof(LONG) == 4 && ULONG_MAX == 0xFFFFFFFFu && STATUS_PENDING == ND_PENDING);
