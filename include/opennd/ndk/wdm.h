/* SPDX-License-Identifier: MIT
 *
 * wdm.h: all headers of this set for drivers except NDK's, WSK's and NDIS's; opennd_wdm.h includes those as well.
 */
#ifndef OPENND_NDK_WDM_H
#define OPENND_NDK_WDM_H

#include "kernel/addresses.h"
#include "kernel/annotations.h"
#include "kernel/byte_order.h"
#include "kernel/checking.h"
#include "kernel/clock.h"
#include "kernel/debug.h"
#include "kernel/driver.h"
#include "kernel/events.h"
#include "kernel/interlocked.h"
#include "kernel/irql.h"
#include "kernel/lists.h"
#include "kernel/locks.h"
#include "kernel/lookaside.h"
#include "kernel/macros.h"
#include "kernel/mdl.h"
#include "kernel/memory.h"
#include "kernel/pool.h"
#include "kernel/rundown.h"
#include "kernel/status.h"
#include "kernel/strings.h"
#include "kernel/threads.h"
#include "kernel/topology.h"
#include "kernel/types.h"
#include "kernel/work_items.h"

#ifdef OPENND_WDM_MIN_MAX
#include "kernel/min_max.h"
#endif

#endif
