// SPDX-License-Identifier: MIT
//
// Read checks.h first.
#include "doctor/checks.h"
#include "doctor/small_file.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace nd {
namespace {

Finding check_shared_files() {
    const int file = ::memfd_create("nd doctor", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0) {
        ::close(file);
        return {Verdict::good, "shared memory", "memory files (memfd_create) work"};
    }
    return {Verdict::problem, "shared memory", std::string("memfd_create fails: ") + std::strerror(errno),
            "no adapter can be opened", "allow memfd_create in the container's system call filter"};
}

// How a process that is not this one's child fares: the kernel asks the same rules of a child that reads its parent.
int error_of_a_copy_from_another_process() {
    static const char kSource = 'x';
    const pid_t own = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) return errno;
    if (child == 0) {
        char copy = 0;
        iovec local{&copy, 1}, remote{const_cast<char*>(&kSource), 1};
        ::_exit(::process_vm_readv(own, &local, 1, &remote, 1, 0) == 1 ? 0 : errno);
    }
    int status = 0;
    if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return ECHILD;
    return WEXITSTATUS(status);
}

Finding check_copies() {
    const int error = error_of_a_copy_from_another_process();
    if (error == 0) return {Verdict::good, "copies between processes", "process_vm_readv works"};
    std::string found = std::string("process_vm_readv fails: ") + std::strerror(error);
    const auto scope = first_line("/proc/sys/kernel/yama/ptrace_scope");
    const bool yama = scope && *scope != "0";
    if (yama) found += " (kernel.yama.ptrace_scope is " + *scope + ")";
    return {Verdict::note, "copies between processes", found,
            "on one host, memory that is not from opennd_memory_allocate travels through shared memory: two copies "
            "instead of one",
            yama ? "sysctl kernel.yama.ptrace_scope=0, or allocate with opennd_memory_allocate"
                 : "allow process_vm_readv in the container's system call filter, or allocate with "
                   "opennd_memory_allocate"};
}

}  // namespace

Findings check_memory() { return {check_shared_files(), check_copies()}; }

}  // namespace nd
