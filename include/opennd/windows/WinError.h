/* SPDX-License-Identifier: MIT
 * WinError.h: another spelling of winerror.h. */
#include "winerror.h"
