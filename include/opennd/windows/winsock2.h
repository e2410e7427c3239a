/* SPDX-License-Identifier: MIT
 *
 * winsock2.h: Winsock on Linux, as far as Network Direct programs go. It uses the structures and values of
 * <sys/socket.h>; ws2tcpip.h has addresses as text, ws2spi.h the catalogue of providers.
 */
#ifndef OPENND_WINDOWS_WINSOCK2_H
#define OPENND_WINDOWS_WINSOCK2_H

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "win32/sockets.h"
#include "win32/winsock.h"
#include "windows.h"
#include "ws2def.h"

#endif

#include "windows.h"
