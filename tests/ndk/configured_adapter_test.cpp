// SPDX-License-Identifier: MIT
//
// Adapters beside those of the interfaces, from OPENND_NDK_ADAPTERS.
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "ndk/consumer/side.h"
#include "ndsupport.h"
#include "opennd.h"
#include "support/com_ptr.h"

namespace opennd::ndk_test {
namespace {

// The variable's value during a test.
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

NTSTATUS reserve(const Adapter& adapter, Loopback at) {
    Owned<NDK_SHARED_ENDPOINT> endpoint;
    return adapter.call().NdkCreateSharedEndpoint(adapter.get(), at.get(), at.length(), nullptr, nullptr,
                                                  endpoint.out());
}

TEST(NdkConfiguredAdapters, HaveTheAddressesThatTheyNameAndNoOthers) {
    proves("NDK-HOST-01", "NDK-HOST-05");
    const Configured two("four=127.0.0.1;both=127.0.0.1,::1");
    Loopback four, six;
    six.address.ipv6 = {};
    six.address.ipv6.sin6_family = AF_INET6;
    six.address.ipv6.sin6_addr = in6addr_loopback;
    const Adapter of_four({2, 1}, OPENND_NDK_FIRST_CONFIGURED), of_both({2, 1}, OPENND_NDK_FIRST_CONFIGURED + 1);
    EXPECT_STATUS(reserve(of_four, four), STATUS_SUCCESS);
    EXPECT_STATUS(reserve(of_four, six), STATUS_INVALID_ADDRESS);
    EXPECT_STATUS(reserve(of_both, four), STATUS_SUCCESS);
    EXPECT_STATUS(reserve(of_both, six), STATUS_SUCCESS);
    const Owned<NDK_PD> domain = of_both.create_domain();
}

// One adapter, by whichever interface a program asks for it.
TEST(NdkAdapters, AreThoseOfVersion2) {
    proves("NDK-HOST-01", "NDK-HOST-02", "ND2-PRV-RES-03");
    Configured none("more=127.0.0.1");  // which is an adapter for NDK alone
    support::ComPtr<IND2Provider> provider;
    ASSERT_EQ(DllGetClassObject(CLSID_OpenNDProvider, IID_IND2Provider, provider.out()), S_OK);
    ULONG count = 64;
    std::vector<OPENND_NDK_ADAPTER_ENTRY> entries(count);
    ASSERT_STATUS(opennd_ndk_enumerate_adapters(entries.data(), &count), STATUS_SUCCESS);
    entries.resize(count);
    std::map<UINT64, NET_IFINDEX> interfaces;
    for (const OPENND_NDK_ADAPTER_ENTRY& entry : entries) {
        if (entry.if_index >= OPENND_NDK_FIRST_CONFIGURED) continue;
        for (USHORT i = 0; i < entry.address_count; ++i) {
            UINT64 id = 0;
            ASSERT_EQ(provider->ResolveAddress(reinterpret_cast<const sockaddr*>(&entry.addresses[i]),
                                               sizeof entry.addresses[i], &id),
                      S_OK);
            EXPECT_EQ(interfaces.try_emplace(id, entry.if_index).first->second, entry.if_index)
                << "two interfaces have one id";
            EXPECT_EQ(id >> 32, entry.if_index);
        }
    }
    EXPECT_FALSE(interfaces.empty());
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
