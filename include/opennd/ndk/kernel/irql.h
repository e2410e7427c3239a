/* SPDX-License-Identifier: MIT
 *
 * irql.h: the interrupt request level, tracked for each thread. Threads start at PASSIVE_LEVEL; spin locks and NDK
 * callbacks raise it to DISPATCH_LEVEL. No interrupt is blocked: the level only decides which calls are allowed, and
 * other calls are reported.
 */
#ifndef OPENND_KERNEL_IRQL_H
#define OPENND_KERNEL_IRQL_H

#include "types.h"

typedef UCHAR KIRQL, *PKIRQL;

#define PASSIVE_LEVEL  0
#define LOW_LEVEL      0
#define APC_LEVEL      1
#define DISPATCH_LEVEL 2

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The IRQL of the calling thread. */
KIRQL NTAPI KeGetCurrentIrql(VOID);

/* To a level that is not lower, at most DISPATCH_LEVEL; *OldIrql is the one to return to. */
VOID NTAPI KeRaiseIrql(KIRQL NewIrql, PKIRQL OldIrql);
KIRQL NTAPI KeRaiseIrqlToDpcLevel(VOID);
/* To a level that is not higher. */
VOID NTAPI KeLowerIrql(KIRQL NewIrql);

/* For hosts that call a consumer's function as OpenND would: raises to DISPATCH_LEVEL, and returns to the level given back.
 * A callback that returns at another level than it was called at is reported under its name. */
KIRQL NTAPI opennd_wdm_callback_begins(VOID);
VOID NTAPI opennd_wdm_callback_ends(KIRQL OldIrql, const char* callback);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
