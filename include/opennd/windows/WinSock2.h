/* SPDX-License-Identifier: MIT
 * WinSock2.h: another spelling of winsock2.h. */
#include "winsock2.h"
