/* SPDX-License-Identifier: MIT
 * Ws2tcpip.h: another spelling of ws2tcpip.h. */
#include "ws2tcpip.h"
