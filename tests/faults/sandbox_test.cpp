// SPDX-License-Identifier: MIT
//
// A sandbox that forbids membarrier, or a kernel that lacks it: everything works, with the dearer barriers.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>

#include "faults/child.h"
#include "support/requirement.h"

namespace opennd::faults {
namespace {

using support::proves;

// Every call of this number fails with this error from here on, in programs that this process becomes as well.
bool forbid(unsigned number, unsigned error) {
    sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{4, rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 &&
           syscall(number, 0, 0, 0) == -1 && errno == static_cast<int>(error);
}

class Sandbox : public testing::TestWithParam<unsigned> {};

// The kernel is asked once a process: the conversations are those of a process that begins with the prohibition.
TEST_P(Sandbox, WithoutMembarrierAllConversationsSucceed) {
    proves("ND2-GEN-02");
    EXPECT_TRUE(in_child([] {
        char name[] = "faults_test", filter[] = "--gtest_filter=Interrupted.*";
        char* arguments[] = {name, filter, nullptr};
        return forbid(SYS_membarrier, GetParam()) && execv("/proc/self/exe", arguments) == 0;
    }));
}

INSTANTIATE_TEST_SUITE_P(, Sandbox, testing::Values(EPERM, ENOSYS),
                         [](const auto& error) { return error.param == EPERM ? "forbidden" : "absent"; });

}  // namespace
}  // namespace opennd::faults
