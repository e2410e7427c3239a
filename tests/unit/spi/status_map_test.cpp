// SPDX-License-Identifier: MIT
#include "spi/status_meaning.h"

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd {
namespace {

TEST(StatusMap, EveryFailureFails) {
    support::proves("ND2-OVL-20", "ND2-CON-CONN-09");
    for (int i = 1; i <= static_cast<int>(kLastStatus); ++i) {
        const auto status = static_cast<Status>(i);
        EXPECT_TRUE(FAILED(to_hresult(status))) << name(status);
    }
    EXPECT_EQ(to_hresult(Status::success), ND_SUCCESS);
}

TEST(StatusMap, UsesTheValuesThatClientsTest) {
    support::proves("ND2-QP-SEND-07", "ND2-CON-NTF-01");
    EXPECT_EQ(to_hresult(Status::remote_data_error), STATUS_DATA_ERROR);
    EXPECT_EQ(to_hresult(Status::receive_too_small), ND_DATA_OVERRUN);
    EXPECT_EQ(to_hresult(Status::timed_out), ND_IO_TIMEOUT);
    EXPECT_EQ(to_hresult(Status::disconnected), STATUS_CONNECTION_DISCONNECTED);
    EXPECT_EQ(to_hresult(Status::address_unspecified), STATUS_BAD_NETWORK_NAME);
}

}  // namespace
}  // namespace opennd
