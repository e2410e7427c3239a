/* SPDX-License-Identifier: MIT
 * Windows, then the system. */
#include "windows_headers.h"
/* In this order. */
#include "system_headers.h"
C_ASSERT(sizeof(LONG) == 4 && ULONG_MAX == 0xFFFFFFFFu && STATUS_PENDING == ND_PENDING);
