// SPDX-License-Identifier: MIT
//
// Under each profile: Query is what the table says, data flow over each transport, and a wrong name opens no adapter.
#include <cstring>
#include <map>
#include <span>
#include <string>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/handshake.h"
#include "conformance/vocabulary/nd2/driver.h"
#include "profile/profile_process.h"
#include "support/adapter.h"
#include "support/status.h"

namespace opennd::profile_test {
namespace {

using conformance::Outcome;
using support::is;
using support::proves;

std::map<std::string, std::uint64_t> query() {
    const support::ComPtr<IND2Adapter> adapter = support::open_loopback_adapter();
    ND2_ADAPTER_INFO info{};
    info.InfoVersion = ND_VERSION_2;
    ULONG bytes = sizeof info;
    EXPECT_TRUE(is(adapter->Query(&info, &bytes), ND_SUCCESS));
    return {
        {"MaxRegistrationSize", info.MaxRegistrationSize},
        {"MaxWindowSize", info.MaxWindowSize},
        {"MaxInitiatorSge", info.MaxInitiatorSge},
        {"MaxReceiveSge", info.MaxReceiveSge},
        {"MaxReadSge", info.MaxReadSge},
        {"MaxTransferLength", info.MaxTransferLength},
        {"MaxInlineDataSize", info.MaxInlineDataSize},
        {"MaxInboundReadLimit", info.MaxInboundReadLimit},
        {"MaxOutboundReadLimit", info.MaxOutboundReadLimit},
        {"MaxReceiveQueueDepth", info.MaxReceiveQueueDepth},
        {"MaxInitiatorQueueDepth", info.MaxInitiatorQueueDepth},
        {"MaxSharedReceiveQueueDepth", info.MaxSharedReceiveQueueDepth},
        {"MaxCompletionQueueDepth", info.MaxCompletionQueueDepth},
        {"MaxCallerData", info.MaxCallerData},
        {"MaxCalleeData", info.MaxCalleeData},
        {"AdapterFlags", info.AdapterFlags},
    };
}

std::span<const opennd_profile_figure> figures() {
    ULONG count = 0;
    const opennd_profile_figure* const all = opennd_profile_figures(&count);
    return {all, count};
}

class EachProfile : public testing::TestWithParam<const char*> {};

TEST_P(EachProfile, IsWhatQueryGives) {
    under(GetParam(), [] {
        const support::Startup startup;
        const auto own = query();
        unsigned compared = 0;
        for (const opennd_profile_figure& figure : figures()) {
            if (std::strcmp(figure.profile, GetParam()) != 0) continue;
            EXPECT_STRNE(figure.source, "") << figure.name;
            const auto found = own.find(figure.name);
            if (figure.kind != OPENND_PROFILE_LIMIT || found == own.end()) continue;
            EXPECT_EQ(std::to_string(found->second), figure.effect) << figure.name;
            EXPECT_LE(found->second, std::stoull(figure.published)) << figure.name;
            ++compared;
        }
        EXPECT_GE(compared, 7u);
        EXPECT_EQ(own.at("AdapterFlags") & ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED, 0u);
        char name[32] = "";
        EXPECT_TRUE(is(opennd_profile(name, sizeof name), ND_SUCCESS));
        EXPECT_STREQ(name, GetParam());
    });
}

TEST_P(EachProfile, LetsDataFlowOverEachTransport) {
    for (const char* transport : {"loopback", "shm", "iwarp"}) {
        SCOPED_TRACE(transport);
        under(GetParam(), [&] {
            const conformance::PinnedTransport pinned(transport);
            const auto driver = conformance::nd2::open_driver();
            const std::uint32_t sges = std::min(4u, driver->open_adapter()->limits().max_initiator_sge);
            conformance::EndpointOptions options;
            options.queue_pair.initiator_sge = options.queue_pair.receive_sge = sges;
            conformance::ConnectedPair pair(*driver, options);
            support::fill_pattern(pair.a.bytes(0, 4000), 1);
            ASSERT_EQ(pair.b.receive(1, 0, 4000), Outcome::success);
            ASSERT_EQ(pair.a.send(2, 0, 4000), Outcome::success);
            EXPECT_TRUE(reports_received(*pair.b.received, 1, 4000));
            EXPECT_TRUE(support::has_pattern(pair.b.bytes(0, 4000), 1));
            ASSERT_EQ(pair.a.read(3, 8000, 4000, pair.b.remote()), Outcome::success);
            ASSERT_EQ(pair.a.write(4, 8000, 4000, pair.b.remote(16000)), Outcome::success);
            EXPECT_TRUE(reports_exactly(*pair.a.initiated, {2, 3, 4}, Outcome::success));
            EXPECT_TRUE(support::has_pattern(pair.a.bytes(8000, 4000), 1));
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Known, EachProfile, testing::Values("cxgb4", "irdma", "irdma_x722", "mana", "mlx5", "strict"),
                         [](const auto& each) { return std::string(each.param); });

TEST(NoProfile, LeavesTheSoftwaresLimits) {
    process::in_child([] {
        ::unsetenv("OPENND_PROFILE");
        const support::Startup startup;
        EXPECT_EQ(query().at("MaxInlineDataSize"), 1024u);
        char name[32] = "unchanged";
        EXPECT_TRUE(is(opennd_profile(name, sizeof name), ND_SUCCESS));
        EXPECT_STREQ(name, "");
    });
}

TEST(WrongProfile, OpensNoAdapterAndNamesTheRightOne) {
    under("cxbg4", [] {
        const support::Startup startup;
        support::ComPtr<IND2Adapter> adapter;
        const support::SocketAddress address = support::loopback_address();
        Explanations explanations;
        EXPECT_TRUE(is(NdOpenAdapter(IID_IND2Adapter, support::as_sockaddr(address), sizeof address,
                                     reinterpret_cast<void**>(adapter.out())),
                       ND_NOT_SUPPORTED));
        EXPECT_NE(explanations.newest().find("did you mean cxgb4"), std::string::npos) << explanations.newest();
    });
}

TEST(WrongProfile, OfAFileNamesTheFault) {
    under("/dev/null", [] {
        char name[32] = "";
        Explanations explanations;
        EXPECT_TRUE(is(opennd_profile(name, sizeof name), ND_NOT_SUPPORTED));
        EXPECT_NE(explanations.newest().find("/dev/null"), std::string::npos) << explanations.newest();
    });
}

TEST(ProfileFile, IsTakenAndListedBehindTheKnownOnes) {
    under(OPENND_TEST_PROFILE, [] {
        const support::Startup startup;
        const auto own = query();
        EXPECT_EQ(own.at("MaxInlineDataSize"), 33u);
        EXPECT_EQ(own.at("AdapterFlags") & ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED, 0u);
        EXPECT_STREQ(figures().back().profile, "test");
    });
}

}  // namespace
}  // namespace opennd::profile_test
