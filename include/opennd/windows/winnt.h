/* SPDX-License-Identifier: MIT
 *
 * winnt.h: types and limits of Windows. A part of windows.h, which has them all.
 */
#include "windows.h"
