// SPDX-License-Identifier: MIT
//
// Pinning the transport. A variant whose transport cannot be selected fails; it is never run over another one.
#include "conformance/fixture.h"

#include <opennd.h>

#include "support/status.h"

namespace opennd::conformance {

PinnedTransport::PinnedTransport(const char* name) {
    support::require(opennd_transport_select(name), ND_SUCCESS, "opennd_transport_select");
}

PinnedTransport::~PinnedTransport() { EXPECT_TRUE(support::is(opennd_transport_select(nullptr), ND_SUCCESS)); }

void skip_if_left_out(const Variant& variant) {
    const testing::TestInfo& running = *testing::UnitTest::GetInstance()->current_test_info();
    const std::string_view suite = running.test_suite_name(), test = running.name();
    const char* const reason = variant.left_out(suite.substr(suite.find('/') + 1), test.substr(0, test.find('/')));
    if (reason) GTEST_SKIP() << reason;
}

}  // namespace opennd::conformance
