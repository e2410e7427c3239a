// SPDX-License-Identifier: MIT
//
// A child of fork begins anew: an adapter that it opens itself works after any use by its parent, and its parent goes
// on. Requirement ND2-GEN-11.
#include <gtest/gtest.h>
#include <opennd.h>

#include <string_view>

#include "faults/child.h"
#include "faults/conversation.h"
#include "support/adapter.h"
#include "support/requirement.h"
#include "support/sanitizer.h"
#include "support/status.h"

namespace opennd::faults {
namespace {

using support::proves;

class Fork : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (support::kThreadSanitizer) GTEST_SKIP() << "the thread sanitizer follows no child that starts threads";
        support::require(opennd_transport_select(GetParam()), ND_SUCCESS, "opennd_transport_select");
    }
};

TEST_P(Fork, AChildWhoseParentHasReleasedEverythingWorks) {
    proves("ND2-GEN-11");
    ASSERT_TRUE(conversation(Face::nd2)->run());
    EXPECT_TRUE(in_child([] { return conversation(Face::nd2)->run(); }));
    EXPECT_TRUE(conversation(Face::nd2)->run());
}

TEST_P(Fork, AChildsChildWorks) {
    proves("ND2-GEN-11");
    ASSERT_TRUE(conversation(Face::nd2)->run());
    EXPECT_TRUE(in_child(
        [] { return conversation(Face::nd2)->run() && in_child([] { return conversation(Face::nd2)->run(); }); }));
}

TEST_P(Fork, AChildHasTheTransportsThatItsParentChose) {
    ASSERT_TRUE(conversation(Face::nd2)->run());
    EXPECT_TRUE(in_child([] {
        const SocketAddress address = support::loopback_address(9);
        char name[16] = "", reason[256] = "";
        (void)opennd_transport_explain(support::as_sockaddr(address), sizeof address, name, sizeof name, reason,
                                       sizeof reason);
        // Nobody listens: a transport that asks first says so by its name, the other takes every address.
        return std::string_view(name) == GetParam() ||
               std::string_view(reason).substr(0, std::string_view(GetParam()).size()) == GetParam();
    }));
}

INSTANTIATE_TEST_SUITE_P(, Fork, testing::Values("loopback", "shm", "iwarp"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace opennd::faults
