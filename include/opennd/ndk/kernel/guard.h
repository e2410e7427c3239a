/* SPDX-License-Identifier: MIT
 *
 * guard.h: checks between a consumer and the provider of an NDK adapter. OpenND's own; no driver includes it: adapters that
 * are opened through wsk.h or ndis.h are guarded by themselves, unless checking is off.
 *
 * Every object carries a table of functions that check first and then call the provider's. Reported are: a close after
 * a close, any other call after a close has begun (except an event callback's own calls on its object), an MDL that is
 * freed or unlocked while it is registered, a callback that returns at another level than DISPATCH_LEVEL, an event
 * after the close has completed, and objects that are never closed.
 * The call that broke a rule does not reach the provider: a second close says STATUS_SUCCESS, others
 * STATUS_INVALID_DEVICE_REQUEST, 0 results or nothing.
 */
#ifndef OPENND_KERNEL_GUARD_H
#define OPENND_KERNEL_GUARD_H

#include <ndkpi.h>

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Guards an adapter that was just opened, and everything that is made from it. FALSE: out of memory. */
BOOLEAN NTAPI opennd_wdm_guard_adapter(NDK_ADAPTER* Adapter);

/* Tells that the adapter is about to be closed: calls from now on are reported. */
VOID NTAPI opennd_wdm_guard_closing(NDK_ADAPTER* Adapter);

/* Frees the guard's records, once the adapter is closed; the pointer is only a name then. */
VOID NTAPI opennd_wdm_guard_closed(NDK_ADAPTER* Adapter);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
