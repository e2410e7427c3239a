// SPDX-License-Identifier: MIT
// The line about fork on kernels that do not copy pinned pages.
#include "transport/verbs/device/fork_hazard.h"

#include <gtest/gtest.h>

namespace opennd::verbs {
namespace {

VerbsFunctions with(ibv_fork_status (*told)()) {
    VerbsFunctions ibv{};
    ibv.is_fork_initialized = told;
    return ibv;
}

TEST(ForkHazard, IsToldOnKernelsThatDoNotCopyPinnedPages) {
    const std::string line = fork_hazard(with([] { return IBV_FORK_DISABLED; }), "5.10.0-8-amd64");
    EXPECT_NE(line.find("Linux 5.10.0-8-amd64"), std::string::npos);
    EXPECT_NE(line.find("RDMAV_FORK_SAFE"), std::string::npos) << "a way out";
}

TEST(ForkHazard, IsNoneWhereRdmaCoreSaysSo) {
    EXPECT_EQ(fork_hazard(with([] { return IBV_FORK_UNNEEDED; }), "5.4.0"), "");
    EXPECT_EQ(fork_hazard(with([] { return IBV_FORK_ENABLED; }), "4.18.0"), "")
        << "RDMAV_FORK_SAFE, or the program's call";
}

TEST(ForkHazard, IsJudgedByTheKernelsReleaseWhereRdmaCoreIsOlder) {
    for (const char* const older : {"4.18.0-553.el8", "5.11.22", "5.4", "5", "", "Linux"})
        EXPECT_NE(fork_hazard(with(nullptr), older), "") << older;
    for (const char* const newer : {"5.12.0", "5.15.0-100-generic", "6.1.0", "10.0"})
        EXPECT_EQ(fork_hazard(with(nullptr), newer), "") << newer;
}

}  // namespace
}  // namespace opennd::verbs
