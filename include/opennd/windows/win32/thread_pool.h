/* SPDX-License-Identifier: MIT
 *
 * thread_pool.h: work that threads of a pool do. The process has one pool, whose threads come and go with the work.
 */
#ifndef OPENND_WINDOWS_THREAD_POOL_H
#define OPENND_WINDOWS_THREAD_POOL_H

#include "errors.h"
#include "types.h"

typedef struct _TP_WORK TP_WORK, *PTP_WORK;
typedef struct _TP_CALLBACK_INSTANCE TP_CALLBACK_INSTANCE, *PTP_CALLBACK_INSTANCE;

/* Pools and groups of the program's own are not here: a program has nothing but NULL for it. */
typedef struct _TP_CALLBACK_ENVIRON_V3* PTP_CALLBACK_ENVIRON;

typedef VOID(NTAPI* PTP_WORK_CALLBACK)(PTP_CALLBACK_INSTANCE Instance, PVOID Context, PTP_WORK Work);

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Makes work: calls of pfnwk, with pv as their Context. pcbe must be NULL. The caller owns it and closes it with
 * CloseThreadpoolWork. NULL: ERROR_INVALID_PARAMETER: pfnwk is NULL, or pcbe is not; ERROR_NOT_ENOUGH_MEMORY;
 * ERROR_NO_SYSTEM_RESOURCES: no thread is left. */
PTP_WORK WINAPI CreateThreadpoolWork(PTP_WORK_CALLBACK pfnwk, PVOID pv, PTP_CALLBACK_ENVIRON pcbe);

/* Asks for one call, in a thread of the pool. Calls that are asked for may run at the same time, and in any order; one
 * may block, and others go on meanwhile. Where there is no memory to ask with, the call is made before this function
 * returns. */
VOID WINAPI SubmitThreadpoolWork(PTP_WORK pwk);

/* Waits until the calls that were asked for have returned; with fCancelPendingCallbacks those that have not begun are
 * dropped. Not to be called within a call of the same work. */
VOID WINAPI WaitForThreadpoolWorkCallbacks(PTP_WORK pwk, BOOL fCancelPendingCallbacks);

/* Gives the work back. Calls that were asked for are made all the same; the work ends with the last of them. A call may
 * close its own work. */
VOID WINAPI CloseThreadpoolWork(PTP_WORK pwk);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
