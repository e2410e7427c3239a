// SPDX-License-Identifier: MIT
// A descriptor's readiness at this moment, as a polling program sees it.
#pragma once

#include <poll.h>

namespace opennd {

inline bool readable(int fd) {
    pollfd poll{fd, POLLIN, 0};
    return ::poll(&poll, 1, 0) == 1 && (poll.revents & POLLIN) != 0;
}

}  // namespace opennd
