// SPDX-License-Identifier: MIT
//
// A program that runs with rights which its caller lacks takes no settings from the environment, which the caller wrote.
#include <gtest/gtest.h>
#include <opennd.h>

#include <cstdlib>
#include <string>

#include "faults/failing_calls.h"
#include "support/adapter.h"
#include "support/status.h"

namespace opennd::faults {
namespace {

// The transport that a Connect would take, where nobody of this host listens; empty: none.
std::string transport_without_listeners() {
    const SocketAddress address = support::loopback_address(9);
    char name[16] = "", reason[256] = "";
    (void)opennd_transport_explain(support::as_sockaddr(address), sizeof address, name, sizeof name, reason,
                                   sizeof reason);
    return name;
}

class Settings : public testing::Test {
protected:
    Settings() { setenv("OPENND_TRANSPORT", "loopback", 1); }
    ~Settings() override {
        unsetenv("OPENND_TRANSPORT");
        EXPECT_EQ(opennd_transport_select(nullptr), ND_SUCCESS);
    }
};

TEST_F(Settings, OfTheEnvironmentCount) {
    ASSERT_EQ(opennd_transport_select(nullptr), ND_SUCCESS);
    EXPECT_EQ(transport_without_listeners(), "");
}

TEST_F(Settings, OfTheEnvironmentCountForNothingWithForeignRights) {
    const FailingFunction secure("secure_getenv", 0);
    ASSERT_EQ(opennd_transport_select(nullptr), ND_SUCCESS);
    EXPECT_NE(transport_without_listeners(), "") << "all transports";
}

}  // namespace
}  // namespace opennd::faults
