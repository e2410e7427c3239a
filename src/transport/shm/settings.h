// SPDX-License-Identifier: MIT
// An administrator's settings of shared memory.
#pragma once

#include <optional>

namespace opennd::shm {

struct Settings {
    // Whether process_vm_readv and process_vm_writev are used. False stands for a kernel or a sandbox that refuses
    // them, so that the path for that can be used and tested anywhere.
    bool process_vm = true;
    // Whether long Sends out of private memory are placed by their sender or streamed; none: as placing_choice() says.
    // One answer for the process.
    std::optional<bool> placed = {};
};

}  // namespace opennd::shm
