// SPDX-License-Identifier: MIT
//
// The checks of `nd doctor`, one file for each noun. None changes anything, and none needs a right.
#pragma once

#include "doctor/finding.h"

namespace nd {

class SocketAddress;

// Processors that this process may use, and the share of their time.
Findings check_processors();
// Memory that processes share, and that the kernel copies between them.
Findings check_memory();
// Limits of this process, and the user and the namespaces that it runs in.
Findings check_process();
// RDMA devices, and the rights and limits for them.
Findings check_hardware();
// The way to an address; with a port, also whether somebody listens there over TCP, which takes some seconds where nobody answers.
Findings check_peer(const SocketAddress& peer);

}  // namespace nd
