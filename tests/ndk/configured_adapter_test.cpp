// SPDX-License-Identifier: MIT
//
// Adapters beside those of the interfaces, from OPENND_NDK_ADAPTERS.
#include <cstdlib>
#include <string>
#include <vector>

#include "ndk/side.h"

namespace opennd::ndk_test {
namespace {

// What the variable says during a test.
class Configured {
public:
    explicit Configured(const char* text) { setenv("OPENND_NDK_ADAPTERS", text, 1); }
    Configured(const Configured&) = delete;
    Configured& operator=(const Configured&) = delete;
    ~Configured() { unsetenv("OPENND_NDK_ADAPTERS"); }
};

// The entries that are no interface's.
std::vector<OPENND_NDK_ADAPTER_ENTRY> configured() {
    ULONG count = 0;
    EXPECT_STATUS(opennd_ndk_enumerate_adapters(nullptr, &count), STATUS_BUFFER_TOO_SMALL);
    std::vector<OPENND_NDK_ADAPTER_ENTRY> entries(count);
    EXPECT_STATUS(opennd_ndk_enumerate_adapters(entries.data(), &count), STATUS_SUCCESS);
    std::erase_if(entries, [](const auto& each) { return each.if_index < OPENND_NDK_FIRST_CONFIGURED; });
    return entries;
}

class NdkConfiguredAdapter : public NdkTest {};
OPENND_OVER_EACH_TRANSPORT(NdkConfiguredAdapter);

TEST_P(NdkConfiguredAdapter, TwoOfOneHostExchangeData) {
    proves("NDK-HOST-05");
    const Configured two("one=127.0.0.1;two=127.0.0.1");
    SideOptions one, other;
    one.if_index = OPENND_NDK_FIRST_CONFIGURED;
    other.if_index = OPENND_NDK_FIRST_CONFIGURED + 1;
    Pair pair(one, other);
    EXPECT_STATUS(pair.b.receive(1, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(pair.a.send(2, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair.b.received.get()).Status, STATUS_SUCCESS);
    NDIS_NDK_STATISTICS_INFO info{};
    EXPECT_STATUS(opennd_ndk_query_statistics(one.if_index, &info), STATUS_SUCCESS);
    EXPECT_GT(info.CounterSet.RDMAOutFrames, 0u);
}

TEST(NdkConfiguredAdapters, AreListedBehindTheInterfaces) {
    proves("NDK-HOST-05", "NDK-HOST-07");
    EXPECT_TRUE(configured().empty());
    const Configured two("first=127.0.0.1;elsewhere=192.0.2.1");
    const auto entries = configured();
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[0].if_index, OPENND_NDK_FIRST_CONFIGURED);
    EXPECT_EQ(std::string(entries[0].name), "first");
    EXPECT_EQ(entries[0].address_count, 1u);
    EXPECT_TRUE(entries[0].enabled);
    EXPECT_EQ(entries[1].address_count, 0u) << "no address of this host";
    EXPECT_FALSE(entries[1].enabled);
    NDK_ADAPTER* adapter = nullptr;
    EXPECT_STATUS(opennd_ndk_open_adapter({2, 1}, entries[1].if_index, 0, &adapter), NDIS_STATUS_ADAPTER_NOT_READY);
    EXPECT_STATUS(opennd_ndk_open_adapter({2, 1}, OPENND_NDK_FIRST_CONFIGURED + 2, 0, &adapter),
                  NDIS_STATUS_ADAPTER_NOT_FOUND);
}

TEST(NdkConfiguredAdapters, AreLeftOutIfMisspelt) {
    proves("NDK-HOST-05");
    const Configured some("nothing;=127.0.0.1;none=;bad=127.0.0.1,localhost;good=127.0.0.1");
    const auto entries = configured();
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(std::string(entries[0].name), "good");
    EXPECT_EQ(entries[0].if_index, OPENND_NDK_FIRST_CONFIGURED + 4) << "the others keep their indices";
}

}  // namespace
}  // namespace opennd::ndk_test
