/* SPDX-License-Identifier: MIT
 *
 * The context of every posted request: it identifies the completion. Stands first in the posted object.
 */
#pragma once

#include <ndkpi.h>

typedef struct _CONNECTION CONNECTION;
typedef struct _WORK WORK;

struct _WORK {
    /* At DISPATCH_LEVEL, without a lock. */
    VOID (*Done)(CONNECTION* Connection, WORK* Work, const NDK_RESULT_EX* Result);
};
