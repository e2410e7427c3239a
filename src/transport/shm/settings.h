// SPDX-License-Identifier: MIT
// An administrator's settings of shared memory.
#pragma once

#include <optional>

namespace opennd::shm {

struct Settings {
    // False: as where the kernel or its sandbox refuses process_vm_readv and process_vm_writev, so that the path for that
    // can be used and tested anywhere.
    bool process_vm = true;
    // Whether long Sends out of private memory are placed by their sender or streamed; none: as placing_choice() says. Of the
    // process.
    std::optional<bool> placed = {};
};

}  // namespace opennd::shm
