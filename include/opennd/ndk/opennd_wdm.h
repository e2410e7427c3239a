/* SPDX-License-Identifier: MIT
 *
 * opennd_wdm.h: everything that an NDK consumer includes, to stand in for <ntddk.h>, <ndis.h>, <wsk.h> and their kin
 * (NDK-HOST-30, NDK-HOST-40).
 */
#ifndef OPENND_NDK_OPENND_WDM_H
#define OPENND_NDK_OPENND_WDM_H

#include <ndkpi.h>

#include "kernel/guard.h"
#include "ndis.h"
#include "netioapi.h"
#include "ntstrsafe.h"
#include "wdm.h"
#include "wskndk.h"

#endif
