// SPDX-License-Identifier: MIT
// Interfaces: index, LUID and alias; tables; the way to an address. The loopback interface is everywhere.
#include <net/if.h>
#include <netioapi.h>
#include <opennd_ndk.h>

#include <cstdlib>
#include <string>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

NET_IFINDEX loopback() { return if_nametoindex("lo"); }

SOCKADDR_INET v4(ULONG address) {
    SOCKADDR_INET out{};
    out.Ipv4.sin_family = AF_INET;
    out.Ipv4.sin_addr.s_addr = RtlUlongByteSwap(address);
    return out;
}

TEST(Interface, IsKnownByIndexLuidAndAlias) {
    support::proves("NDK-CONS-11", "NDK-HOST-40");
    NET_LUID luid{};
    ASSERT_EQ(ConvertInterfaceIndexToLuid(loopback(), &luid), STATUS_SUCCESS);
    NET_IFINDEX index = 0;
    EXPECT_EQ(ConvertInterfaceLuidToIndex(&luid, &index), STATUS_SUCCESS);
    EXPECT_EQ(index, loopback());
    WCHAR alias[IF_MAX_STRING_SIZE + 1];
    EXPECT_EQ(ConvertInterfaceLuidToAlias(&luid, alias, ARRAYSIZE(alias)), STATUS_SUCCESS);
    EXPECT_EQ(std::wstring(alias), L"lo");
    EXPECT_EQ(ConvertInterfaceLuidToAlias(&luid, alias, 2), STATUS_BUFFER_TOO_SMALL);
}

TEST(Interface, MayBeAnAdapterThatAnAdministratorAdds) {
    support::proves("NDK-HOST-05");
    setenv("OPENND_NDK_ADAPTERS", "one=127.0.0.1;other=127.0.0.1", 1);
    NET_LUID luid{};
    NET_IFINDEX index = 0;
    WCHAR alias[IF_MAX_STRING_SIZE + 1];
    EXPECT_EQ(ConvertInterfaceIndexToLuid(OPENND_NDK_FIRST_CONFIGURED + 1, &luid), STATUS_SUCCESS);
    EXPECT_EQ(ConvertInterfaceLuidToIndex(&luid, &index), STATUS_SUCCESS);
    EXPECT_EQ(index, OPENND_NDK_FIRST_CONFIGURED + 1);
    EXPECT_EQ(ConvertInterfaceLuidToAlias(&luid, alias, ARRAYSIZE(alias)), STATUS_SUCCESS);
    EXPECT_EQ(std::wstring(alias), L"other");
    EXPECT_EQ(ConvertInterfaceIndexToLuid(OPENND_NDK_FIRST_CONFIGURED + 2, &luid), STATUS_INVALID_PARAMETER);
    unsetenv("OPENND_NDK_ADAPTERS");
    EXPECT_EQ(ConvertInterfaceLuidToAlias(&luid, alias, ARRAYSIZE(alias)), STATUS_INVALID_PARAMETER);
}

TEST(Interface, ThatIsNotThereIsAnInvalidParameter) {
    NET_LUID luid{};
    NET_IFINDEX index = 0;
    WCHAR alias[8];
    EXPECT_EQ(ConvertInterfaceIndexToLuid(0x7FFFFFF0, &luid), STATUS_INVALID_PARAMETER);
    EXPECT_EQ(ConvertInterfaceIndexToLuid(loopback(), nullptr), STATUS_INVALID_PARAMETER);
    luid.Value = ULONG64{1} << 40;
    EXPECT_EQ(ConvertInterfaceLuidToIndex(&luid, &index), STATUS_INVALID_PARAMETER);
    EXPECT_EQ(ConvertInterfaceLuidToAlias(&luid, alias, 8), STATUS_INVALID_PARAMETER);
    EXPECT_EQ(ConvertInterfaceLuidToAlias(nullptr, alias, 8), STATUS_INVALID_PARAMETER);
}

TEST(Interface, IsInTheTables) {
    PMIB_IPINTERFACE_TABLE interfaces = nullptr;
    ASSERT_EQ(GetIpInterfaceTable(AF_INET, &interfaces), STATUS_SUCCESS);
    int found = 0;
    for (ULONG i = 0; i < interfaces->NumEntries; ++i) {
        const MIB_IPINTERFACE_ROW& row = interfaces->Table[i];
        EXPECT_EQ(row.Family, AF_INET);
        if (row.InterfaceIndex != loopback()) continue;
        ++found;
        EXPECT_TRUE(row.Connected);
        EXPECT_GT(row.NlMtu, 1'000u);
        EXPECT_EQ(row.InterfaceLuid.Value, row.InterfaceIndex);
    }
    FreeMibTable(interfaces);
    EXPECT_EQ(found, 1);
    EXPECT_EQ(GetIpInterfaceTable(77, &interfaces), STATUS_INVALID_PARAMETER);
    EXPECT_EQ(GetIpInterfaceTable(AF_INET, nullptr), STATUS_INVALID_PARAMETER);
}

TEST(Interface, IsFoundByItsAddress) {
    PMIB_UNICASTIPADDRESS_TABLE addresses = nullptr;
    ASSERT_EQ(GetUnicastIpAddressTable(AF_UNSPEC, &addresses), STATUS_SUCCESS);
    NET_IFINDEX found = 0;
    for (ULONG i = 0; i < addresses->NumEntries; ++i) {
        const MIB_UNICASTIPADDRESS_ROW& row = addresses->Table[i];
        if (row.Address.si_family == AF_INET && row.Address.Ipv4.sin_addr.s_addr == htonl(INADDR_LOOPBACK)) {
            found = row.InterfaceIndex;
            EXPECT_EQ(row.OnLinkPrefixLength, 8);
        }
    }
    FreeMibTable(addresses);
    EXPECT_EQ(found, loopback());
}

TEST(BestRoute, LeadsToTheLoopbackInterface) {
    const SOCKADDR_INET target = v4(INADDR_LOOPBACK);
    MIB_IPFORWARD_ROW2 route{};
    SOCKADDR_INET source{};
    ASSERT_EQ(GetBestRoute2(nullptr, 0, nullptr, &target, 0, &route, &source), STATUS_SUCCESS);
    EXPECT_EQ(route.InterfaceIndex, loopback());
    EXPECT_EQ(route.InterfaceLuid.Value, route.InterfaceIndex);
    EXPECT_EQ(source.Ipv4.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
    EXPECT_EQ(route.NextHop.si_family, AF_INET);
    EXPECT_EQ(route.NextHop.Ipv4.sin_addr.s_addr, 0u) << "the destination itself";
    const SOCKADDR_INET from = v4(0x7F000002);
    ASSERT_EQ(GetBestRoute2(nullptr, loopback(), &from, &target, 0, &route, &source), STATUS_SUCCESS);
    EXPECT_EQ(source.Ipv4.sin_addr.s_addr, from.Ipv4.sin_addr.s_addr);
}

TEST(BestRoute, RefusesWhatItCannotAsk) {
    const SOCKADDR_INET target = v4(INADDR_LOOPBACK);
    const SOCKADDR_INET nothing{};
    MIB_IPFORWARD_ROW2 route{};
    SOCKADDR_INET source{};
    EXPECT_EQ(GetBestRoute2(nullptr, 0, nullptr, nullptr, 0, &route, &source), STATUS_INVALID_PARAMETER);
    EXPECT_EQ(GetBestRoute2(nullptr, 0, nullptr, &nothing, 0, &route, &source), STATUS_INVALID_PARAMETER);
    EXPECT_EQ(GetBestRoute2(nullptr, 0, &nothing, &target, 0, &route, &source), STATUS_INVALID_PARAMETER);
    EXPECT_EQ(GetBestRoute2(nullptr, 0, nullptr, &target, 1, &route, &source), STATUS_INVALID_PARAMETER);
    NET_LUID luid{};
    luid.Value = 0x7FFFFFF0;
    EXPECT_EQ(GetBestRoute2(&luid, 0, nullptr, &target, 0, &route, &source), STATUS_NETWORK_UNREACHABLE);
}

}  // namespace
}  // namespace opennd
