// SPDX-License-Identifier: MIT
// Processors and nodes of any host.
#include <unistd.h>

#include <bit>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

TEST(Processors, AreThoseOnline) {
    support::proves("NDK-HOST-40");
    EXPECT_EQ(KeQueryActiveProcessorCountEx(ALL_PROCESSOR_GROUPS), static_cast<ULONG>(sysconf(_SC_NPROCESSORS_ONLN)));
    ULONG sum = 0;
    for (USHORT group = 0; group < KeQueryActiveGroupCount(); ++group) sum += KeQueryActiveProcessorCountEx(group);
    EXPECT_EQ(sum, KeQueryActiveProcessorCountEx(ALL_PROCESSOR_GROUPS));
    EXPECT_EQ(KeQueryActiveProcessorCountEx(1'000), 0u);
}

TEST(Processors, OneOfThemRunsThis) {
    PROCESSOR_NUMBER number{};
    const ULONG index = KeGetCurrentProcessorNumberEx(&number);
    EXPECT_EQ(index, number.Group * 64u + number.Number);
    EXPECT_LT(KeGetCurrentProcessorNumberEx(nullptr), static_cast<ULONG>(sysconf(_SC_NPROCESSORS_CONF)));
}

TEST(Nodes, HaveTheirProcessors) {
    support::proves("NDK-CONS-10");
    EXPECT_LE(KeGetCurrentNodeNumber(), KeQueryHighestNodeNumber());
    ULONG processors = 0;
    for (USHORT node = 0; node <= KeQueryHighestNodeNumber(); ++node) {
        GROUP_AFFINITY affinity{};
        USHORT count = 0;
        KeQueryNodeActiveAffinity(node, &affinity, &count);
        EXPECT_EQ(count, std::popcount(affinity.Mask));
        EXPECT_LT(affinity.Group, KeQueryActiveGroupCount());
        processors += count;
        KeQueryNodeActiveAffinity(node, nullptr, nullptr);
    }
    EXPECT_GT(processors, 0u);
    USHORT count = 7;
    KeQueryNodeActiveAffinity(60'000, nullptr, &count);
    EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace opennd
