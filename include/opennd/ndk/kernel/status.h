/* SPDX-License-Identifier: MIT
 *
 * status.h: the statuses that consumers use for themselves and that NDKPI does not return; those it
 * does return stand in ndkstatus.h.
 */
#ifndef OPENND_KERNEL_STATUS_H
#define OPENND_KERNEL_STATUS_H

#include <ndkstatus.h>

#include "../../windows/ntstatus.h"

#ifndef STATUS_INVALID_OWNER
#define STATUS_INVALID_OWNER ((NTSTATUS)0xC000005Au)
#endif
#ifndef STATUS_NOINTERFACE
#define STATUS_NOINTERFACE ((NTSTATUS)0xC00002B9u)
#endif
#ifndef STATUS_DELETE_PENDING
#define STATUS_DELETE_PENDING ((NTSTATUS)0xC0000056u)
#endif
#ifndef STATUS_ALREADY_COMMITTED
#define STATUS_ALREADY_COMMITTED ((NTSTATUS)0xC0000021u)
#endif

#endif
