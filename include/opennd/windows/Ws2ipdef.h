/* SPDX-License-Identifier: MIT
 * Ws2ipdef.h: another spelling of ws2ipdef.h. */
#include "ws2ipdef.h"
