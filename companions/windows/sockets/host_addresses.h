// SPDX-License-Identifier: MIT
// The addresses of this host, and the one from which it reaches another, as Winsock's requests give them.
#pragma once

#include <vector>

#include "ws2def.h"

namespace opennd::windows {

// The addresses of one family, or of both (AF_UNSPEC), of interfaces that are up; ports are 0. Loopback addresses only where the host
// has no other, as in the lists of libopennd: programs publish these addresses.
std::vector<SOCKADDR_STORAGE> host_addresses(int family);

INT length_of(const SOCKADDR_STORAGE& address);

// Port 0. ERROR_SUCCESS; a code of Winsock.
int source_address(const SOCKADDR* remote, DWORD remote_bytes, SOCKADDR_STORAGE& source);

}  // namespace opennd::windows
