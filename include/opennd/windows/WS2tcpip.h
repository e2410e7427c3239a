/* SPDX-License-Identifier: MIT
 * WS2tcpip.h: another spelling of ws2tcpip.h. */
#include "ws2tcpip.h"
