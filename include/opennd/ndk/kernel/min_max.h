/* SPDX-License-Identifier: MIT
 *
 * min_max.h: min and max, for sources that use them without a namespace. Only programs that define OPENND_WDM_MIN_MAX get
 * it with ntddk.h, for the names collide with those of the C++ library where a program is using namespace std
 * (NDK-HOST-31).
 */
#ifndef OPENND_KERNEL_MIN_MAX_H
#define OPENND_KERNEL_MIN_MAX_H

#ifdef __cplusplus
#include <algorithm>
#endif

#include "../../windows/win32/arithmetic.h"

#endif
