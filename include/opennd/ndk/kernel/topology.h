/* SPDX-License-Identifier: MIT
 *
 * topology.h: processors and NUMA nodes. Processor n of the system is number n % 64 of group n / 64; only
 * those count that are online.
 */
#ifndef OPENND_KERNEL_TOPOLOGY_H
#define OPENND_KERNEL_TOPOLOGY_H

#include "types.h"

#define ALL_PROCESSOR_GROUPS 0xFFFFu

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The processors of the node, in the group where it has most, and how many there are; either pointer may be NULL. None of a
 * node that does not exist. */
VOID NTAPI KeQueryNodeActiveAffinity(USHORT NodeNumber, PGROUP_AFFINITY Affinity, PUSHORT Count);
USHORT NTAPI KeQueryHighestNodeNumber(VOID);
/* The node of the processor that runs this. */
USHORT NTAPI KeGetCurrentNodeNumber(VOID);

/* The system's number of the processor that runs this; *ProcNumber, if not NULL, is group and number. */
ULONG NTAPI KeGetCurrentProcessorNumberEx(PPROCESSOR_NUMBER ProcNumber);

/* The processors of one group, or of ALL_PROCESSOR_GROUPS. */
ULONG NTAPI KeQueryActiveProcessorCountEx(USHORT GroupNumber);
USHORT NTAPI KeQueryActiveGroupCount(VOID);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
