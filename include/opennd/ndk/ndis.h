/* SPDX-License-Identifier: MIT
 *
 * ndis.h: the part of NDIS that leads to an NDK adapter; see ndisndk.h.
 */
#ifndef OPENND_NDK_NDIS_H
#define OPENND_NDK_NDIS_H

#include "ndisndk.h"
#include "wdm.h"

#endif
