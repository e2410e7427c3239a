// SPDX-License-Identifier: MIT
// Closes descriptors whose close() waits for another process: the last close of a file of FUSE waits for its server, that of
// a TCP socket with SO_LINGER for whoever should read what it still holds. Whose files those are, another process chose.
#pragma once

#include "base/log.h"
#include "base/status.h"
#include "platform/descriptor.h"

namespace opennd {

// Closes `fd` soon, on a thread of the library's that waits for nothing else. Any thread; never waits, but without memory for the
// list of them closes it itself.
void close_apart(Descriptor fd) noexcept;

// Before anything is taken from other processes, each of which may bring more to close. Any thread.
//   insufficient_resources  so many wait to be closed that there is no end to be seen; reported
Status closing_keeps_up(LogCause cause);

}  // namespace opennd
