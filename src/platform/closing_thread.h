// SPDX-License-Identifier: MIT
// Closes descriptors whose close() waits for another process: the last close of a file of FUSE waits for its server, that of
// a TCP socket with SO_LINGER for whoever should read what it still holds. Whose files those are, another process chose.
#pragma once

#include "platform/descriptor.h"

namespace opennd {

// Closes `fd` soon, on a thread of the library's that waits for nothing else. Any thread; never waits.
void close_apart(Descriptor fd);

// So many wait to be closed that nothing more should be taken from other processes: each may bring more of them. Any thread.
bool closing_is_behind();

}  // namespace opennd
