// SPDX-License-Identifier: MIT
// Socket addresses as Winsock writes them: "a.b.c.d:port", "[address%scope]:port", the port only if it is not 0.
#pragma once

#include <string>

#include "ws2ipdef.h"

namespace opennd::windows {

// The length of an address of the family; 0: neither AF_INET nor AF_INET6.
INT address_bytes(INT family);

// ERROR_SUCCESS; WSAEINVAL: no such address; WSAEAFNOSUPPORT.
DWORD read_address_text(const std::string& text, INT family, SOCKADDR_INET& address);

// ERROR_SUCCESS; WSAEINVAL: too short, or another family.
DWORD write_address_text(const sockaddr& address, DWORD bytes, std::string& text);

}  // namespace opennd::windows
