/* SPDX-License-Identifier: MIT
 *
 * ndkpi.h: Network Direct as kernel code calls it (NDKPI), in an ordinary process.
 *
 * Objects are structures that begin with a header and a table of functions. A call that takes long returns
 * STATUS_PENDING, and its callback runs exactly once, on a thread of OpenND, possibly before the call has returned;
 * any other status is final and no callback runs. Objects may be closed in any order: a close is complete when
 * everything made from the object is closed, and then none of its callbacks runs any more. Contexts are the
 * consumer's, and never looked at.
 *
 * Every function may be called from any thread and from any callback, unless its description says otherwise. The
 * structures are in ndkpi_types.h, the functions in ndkpi_functions.h, the tables of them in ndkpi_dispatch.h.
 */
#ifndef OPENND_NDKPI_H
#define OPENND_NDKPI_H

#include "ndkinfo.h"
#include "ndkpi_dispatch.h"
#include "ndkpi_functions.h"
#include "ndkpi_types.h"
#include "ndkstatus.h"

#endif
