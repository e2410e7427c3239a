// SPDX-License-Identifier: MIT
// Copying straight between address spaces (process_vm_readv and its twin). The kernel checks every page, so a wrong address is a result,
// not a signal.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstdint>
#include <span>

#include "base/status.h"

namespace opennd {

// A range of another process's memory, as it travels between processes.
struct MemorySpan {
    std::uint64_t address;
    std::uint64_t bytes;
};

// Copies all of `remote` in process `pid` to `local`; both lists name the same number of bytes and may be cut
// differently and be of any length. Blocks for the copy. Any thread. After a failure a prefix may have been copied.
//   access_violation   some page, here or there, is unmapped or lacks the right
//   not_supported      this process may not trace that one (ptrace scope, user, sandbox), or the kernel cannot
//   disconnected       no such process
//   invalid_parameter  the lists differ in total bytes
//   no_memory
Status read_process_memory(pid_t pid, std::span<const iovec> local, std::span<const iovec> remote);

// Copies in the other direction: `local` to `remote`.
Status write_process_memory(pid_t pid, std::span<const iovec> local, std::span<const iovec> remote);

// This process, for copies within it that take the same way.
pid_t own_process();

}  // namespace opennd
