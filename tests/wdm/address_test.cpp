// SPDX-License-Identifier: MIT
// IP addresses as text and back, and the names of their structures.
#include <netioapi.h>

#include <string>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

struct V4 {
    NTSTATUS status;
    ULONG address;  // host byte order
    USHORT port;
};

V4 read_v4(PCWSTR text, BOOLEAN strict = TRUE) {
    in_addr address{};
    USHORT port = 0;
    const NTSTATUS status = RtlIpv4StringToAddressExW(text, strict, &address, &port);
    return {status, RtlUlongByteSwap(address.s_addr), RtlUshortByteSwap(port)};
}

TEST(Ipv4Text, IsReadWithAndWithoutAPort) {
    support::proves("NDK-HOST-40", "NDK-HOST-50");
    const V4 plain = read_v4(L"192.168.1.2");
    EXPECT_EQ(plain.status, STATUS_SUCCESS);
    EXPECT_EQ(plain.address, 0xC0A80102u);
    EXPECT_EQ(plain.port, 0);
    const V4 with_port = read_v4(L"10.0.0.1:445");
    EXPECT_EQ(with_port.address, 0x0A000001u);
    EXPECT_EQ(with_port.port, 445);
    EXPECT_EQ(read_v4(L"0x7f.1", FALSE).address, 0x7F000001u);
    EXPECT_EQ(read_v4(L"0x7f.1").status, STATUS_INVALID_PARAMETER);
    for (PCWSTR wrong :
         {L"", L"1.2.3", L"1.2.3.4:", L"1.2.3.4:70000", L"1.2.3.4:x", L"1.2.3.4 x", L"ä.2.3.4", L"256.1.1.1"})
        EXPECT_EQ(read_v4(wrong).status, STATUS_INVALID_PARAMETER) << std::wstring(wrong).size();
    EXPECT_EQ(read_v4(L"1.2.3.4 x", FALSE).status, STATUS_INVALID_PARAMETER);
    EXPECT_EQ(RtlIpv4StringToAddressExW(L"1.2.3.4", TRUE, nullptr, nullptr), STATUS_INVALID_PARAMETER);
}

TEST(Ipv6Text, IsReadWithScopeAndPort) {
    in6_addr address{};
    ULONG scope = 9;
    USHORT port = 9;
    EXPECT_EQ(RtlIpv6StringToAddressExW(L"::1", &address, &scope, &port), STATUS_SUCCESS);
    EXPECT_TRUE(IN6_IS_ADDR_LOOPBACK(&address));
    EXPECT_EQ(scope, 0u);
    EXPECT_EQ(port, 0);
    EXPECT_EQ(RtlIpv6StringToAddressExW(L"[fe80::2%3]:445", &address, &scope, &port), STATUS_SUCCESS);
    EXPECT_TRUE(IN6_IS_ADDR_LINKLOCAL(&address));
    EXPECT_EQ(scope, 3u);
    EXPECT_EQ(port, RtlUshortByteSwap(445));
    for (PCWSTR wrong : {L"", L"[::1", L"[::1]445", L"[::1]:", L"::1%", L"::1%eth", L"1.2.3.4"})
        EXPECT_EQ(RtlIpv6StringToAddressExW(wrong, &address, &scope, &port), STATUS_INVALID_PARAMETER);
    EXPECT_EQ(RtlIpv6StringToAddressExW(nullptr, &address, &scope, &port), STATUS_INVALID_PARAMETER);
}

TEST(IpText, IsWrittenAndItsEndTold) {
    WCHAR text[46];
    in_addr v4{};
    v4.s_addr = RtlUlongByteSwap(0x7F000001u);
    EXPECT_EQ(RtlIpv4AddressToStringW(&v4, text), text + 9);
    EXPECT_EQ(std::wstring(text), L"127.0.0.1");
    EXPECT_EQ(RtlIpv6AddressToStringW(&in6addr_loopback, text), text + 3);
    EXPECT_EQ(std::wstring(text), L"::1");
}

TEST(Addresses, AreTheSystemsOwnUnderBothNames) {
    support::proves("NDK-HOST-50", "NDK-HOST-51");
    SOCKADDR_INET address{};
    address.Ipv4.sin_family = AF_INET;
    address.Ipv4.sin_addr.S_un.S_addr = RtlUlongByteSwap(0x7F000001u);
    EXPECT_EQ(address.Ipv4.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
    EXPECT_EQ(address.si_family, AF_INET);
    EXPECT_EQ(AF_INET6, 10);
    sockaddr_in* const theirs = &address.Ipv4;
    PSOCKADDR const plain = reinterpret_cast<PSOCKADDR>(theirs);
    EXPECT_EQ(plain->sa_family, AF_INET);
}

}  // namespace
}  // namespace opennd
