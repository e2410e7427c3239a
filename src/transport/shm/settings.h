// SPDX-License-Identifier: MIT
// An administrator's settings of shared memory.
#pragma once

namespace opennd::shm {

struct Settings {
    // False: as where the kernel or its sandbox refuses process_vm_readv and process_vm_writev, so that the path for that
    // can be used and tested anywhere.
    bool process_vm = true;
};

}  // namespace opennd::shm
