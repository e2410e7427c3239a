/* SPDX-License-Identifier: MIT
 * Mstcpip.h: another spelling of mstcpip.h. */
#include "mstcpip.h"
