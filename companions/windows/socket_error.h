// SPDX-License-Identifier: MIT
// How a function of Winsock fails.
#pragma once

#include "win32/errors.h"

namespace opennd::windows {

// Winsock's number for an errno.
int socket_error(int error);

// Leaves the code of `error`, an errno, for WSAGetLastError and returns SOCKET_ERROR.
int refuse_socket_call(int error);

}  // namespace opennd::windows
