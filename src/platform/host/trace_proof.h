// SPDX-License-Identifier: MIT
// Whether another process may look into this one, as a debugger may. The kernel decides: this process opens a descriptor whose name is a
// secret, and the other one reads the name from /proc. For that the kernel wants what it wants for ptrace (PTRACE_MODE_READ): the same
// users and groups, no fewer capabilities, the same user namespace, a process that is dumpable, thus none that runs with rights its caller
// lacks (AT_SECURE), and the consent of the security policy; or CAP_SYS_PTRACE over it.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"
#include "platform/descriptor/descriptor.h"

namespace opennd {

// One question of this process to one other. Movable.
class TraceProof {
public:
    // insufficient_resources, no_memory.
    static Result<TraceProof> ask();

    // Told to the other process: the number of the descriptor.
    int number() const { return secret_.get(); }
    // `answer`: of the other process, from give_trace_proof().
    bool is_given_by(std::string_view answer) const { return answer == name_; }

private:
    TraceProof(Descriptor secret, std::string name) : secret_(std::move(secret)), name_(std::move(name)) {}

    Descriptor secret_;
    std::string name_;
};

// The other side: the name of the descriptor `number` of `process`, which asked. Empty: this process may not look into it, or the
// descriptor was not opened for that.
std::string give_trace_proof(pid_t process, int number);

}  // namespace opennd
