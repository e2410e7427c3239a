// SPDX-License-Identifier: MIT
//
// The counters of the loopback interface. Other tests of this process count as well, so that a test compares
// differences.
#pragma once

#include <gtest/gtest.h>

#include "ndk/consumer/consumer.h"
#include "ndk/consumer/state.h"

namespace opennd::ndk_test {

inline NDIS_NDK_PERFORMANCE_COUNTERS counters() {
    NDIS_NDK_STATISTICS_INFO info{};
    EXPECT_STATUS(opennd_ndk_query_statistics(loopback_interface(), &info), STATUS_SUCCESS);
    EXPECT_EQ(info.Header.Type, NDIS_OBJECT_TYPE_DEFAULT);
    EXPECT_EQ(info.Header.Revision, NDIS_NDK_STATISTICS_INFO_REVISION_1);
    EXPECT_EQ(info.Header.Size, sizeof info);
    EXPECT_EQ(info.Flags, 0u);
    return info.CounterSet;
}

}  // namespace opennd::ndk_test
