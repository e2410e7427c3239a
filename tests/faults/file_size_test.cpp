// SPDX-License-Identifier: MIT
//
// The limit on the size of files (RLIMIT_FSIZE) is lower than a segment: the call says so, and no signal ends the process.
// Requirements ND2-GEN-02, ND2-PRV-OPEN-01.
#include <gtest/gtest.h>
#include <opennd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/adapter.h"
#include "support/requirement.h"
#include "support/sanitizer.h"
#include "support/status.h"

namespace opennd::faults {
namespace {

// 0: all is as it should be; otherwise the number of the step that is not. In a child, which a signal may end.
int steps_with_small_files() {
    const support::Startup startup;
    const SocketAddress address = support::loopback_address();
    const auto open = [&] {
        support::ComPtr<IND2Adapter> adapter;
        return NdOpenAdapter(IID_IND2Adapter, support::as_sockaddr(address), sizeof address, adapter.out());
    };
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{1 << 20, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    if (open() != ND_INSUFFICIENT_RESOURCES) return 1;
    void* memory = nullptr;
    if (opennd_memory_allocate(64 << 20, &memory) != ND_INSUFFICIENT_RESOURCES) return 2;
    setrlimit(RLIMIT_FSIZE, &before);
    if (open() != ND_SUCCESS) return 3;
    if (opennd_memory_allocate(64 << 20, &memory) != ND_SUCCESS) return 4;
    return opennd_memory_free(memory) == ND_SUCCESS ? 0 : 5;
}

TEST(FileSize, BelowASegmentIsAStatusAndNoSignal) {
    support::proves("ND2-GEN-02", "ND2-PRV-OPEN-01");
    if (support::kThreadSanitizer) GTEST_SKIP() << "the thread sanitizer follows no child that starts threads";
    const pid_t child = fork();
    if (child == 0) _exit(steps_with_small_files());
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0) << "the step that is wrong";
}

}  // namespace
}  // namespace opennd::faults
