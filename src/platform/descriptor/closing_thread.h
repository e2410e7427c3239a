// SPDX-License-Identifier: MIT
// Closes descriptors on a thread of its own, because close() can wait for another process: the last close of a FUSE
// file waits for the file's server, that of a TCP socket with SO_LINGER for the peer to read the remaining bytes.
// Another process chose which files these are.
#pragma once

#include "base/log.h"
#include "base/status.h"
#include "platform/descriptor/descriptor.h"

namespace opennd {

// Closes `fd` soon, on the closing thread. Any thread; never waits, but without memory for the list it closes `fd`
// itself.
void close_apart(Descriptor fd) noexcept;

// Called before descriptors are taken from other processes, since each descriptor may have to be closed. Any thread.
//   insufficient_resources  at least kMostWaiting descriptors wait to be closed; reported
Status closing_keeps_up(LogCause cause);

}  // namespace opennd
