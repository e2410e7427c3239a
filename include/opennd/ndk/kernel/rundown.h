/* SPDX-License-Identifier: MIT
 *
 * rundown.h: rundown protection: users of an object come and go, until somebody takes it down and waits for the last.
 */
#ifndef OPENND_KERNEL_RUNDOWN_H
#define OPENND_KERNEL_RUNDOWN_H

#include "types.h"

/* All zero is one that lets users in. */
typedef struct _EX_RUNDOWN_REF {
    __extension__ union {
        ULONG_PTR Count; /* twice the number of users; odd: nobody comes in any more */
        PVOID Ptr;
    };
} EX_RUNDOWN_REF, *PEX_RUNDOWN_REF;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

VOID NTAPI ExInitializeRundownProtection(PEX_RUNDOWN_REF RunRef);
/* Lets users in again, after a run-down. */
VOID NTAPI ExReInitializeRundownProtection(PEX_RUNDOWN_REF RunRef);

/* FALSE: it is taken down. The Ex forms stand for Count users. Any level. */
BOOLEAN NTAPI ExAcquireRundownProtection(PEX_RUNDOWN_REF RunRef);
BOOLEAN NTAPI ExAcquireRundownProtectionEx(PEX_RUNDOWN_REF RunRef, ULONG Count);
/* A release too many is reported and changes nothing. */
VOID NTAPI ExReleaseRundownProtection(PEX_RUNDOWN_REF RunRef);
VOID NTAPI ExReleaseRundownProtectionEx(PEX_RUNDOWN_REF RunRef, ULONG Count);

/* Lets nobody in any more and waits until the last has left; from then on the memory may be freed. Below DISPATCH_LEVEL. */
VOID NTAPI ExWaitForRundownProtectionRelease(PEX_RUNDOWN_REF RunRef);
/* Says that it has been run down. */
VOID NTAPI ExRundownCompleted(PEX_RUNDOWN_REF RunRef);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

OPENND_ASSERT_SIZE(EX_RUNDOWN_REF, 8, 8);

#endif
