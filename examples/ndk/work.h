/* SPDX-License-Identifier: MIT
 *
 * The context of every request that is posted: whose completion it is. Stands first in what is posted.
 */
#pragma once

#include <ndkpi.h>

typedef struct _CONNECTION CONNECTION;
typedef struct _WORK WORK;

struct _WORK {
    /* At DISPATCH_LEVEL, without a lock. */
    VOID (*Done)(CONNECTION* Connection, WORK* Work, const NDK_RESULT_EX* Result);
};
