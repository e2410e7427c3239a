/* SPDX-License-Identifier: MIT
 *
 * ntddk.h: the kernel under its usual name; see wdm.h.
 */
#ifndef OPENND_NDK_NTDDK_H
#define OPENND_NDK_NTDDK_H

#include "wdm.h"

#endif
