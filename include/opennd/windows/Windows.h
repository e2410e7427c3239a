/* SPDX-License-Identifier: MIT
 * Windows.h: another spelling of windows.h. */
#include "windows.h"
