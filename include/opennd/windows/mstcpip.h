/* SPDX-License-Identifier: MIT
 *
 * mstcpip.h: the uses of addresses, under Windows' names.
 */
#ifndef OPENND_WINDOWS_MSTCPIP_H
#define OPENND_WINDOWS_MSTCPIP_H

#include "ws2ipdef.h"

#define IN4_IS_ADDR_UNSPECIFIED(address) ((address)->s_addr == 0)
#define IN4_IS_ADDR_LOOPBACK(address)    (((const unsigned char*)(address))[0] == 127)
#define IN4_IS_ADDR_MULTICAST(address)   ((((const unsigned char*)(address))[0] & 0xF0) == 0xE0)
#define INETADDR_PORT(address)           (((const SOCKADDR_INET*)(address))->Ipv4.sin_port)

#endif
