// SPDX-License-Identifier: MIT
// Winsock's beginning and end, and addresses as text.
#include <gtest/gtest.h>
#include <mstcpip.h>
#include <ws2tcpip.h>

#include <cstring>
#include <string>
#include <utility>

namespace opennd {
namespace {

TEST(Winsock, IsCounted) {
    WSADATA data{};
    ASSERT_EQ(WSAStartup(MAKEWORD(2, 2), &data), 0);
    EXPECT_EQ(data.wVersion, MAKEWORD(2, 2));
    EXPECT_EQ(WSAStartup(MAKEWORD(2, 2), &data), 0);
    EXPECT_EQ(WSACleanup(), 0);
    EXPECT_EQ(WSACleanup(), 0);
    EXPECT_EQ(WSACleanup(), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSANOTINITIALISED);
    EXPECT_EQ(WSAStartup(0, &data), WSAVERNOTSUPPORTED);
    EXPECT_EQ(WSAStartup(MAKEWORD(2, 2), nullptr), WSAEFAULT);
    WSASetLastError(WSAEINVAL);
    EXPECT_EQ(GetLastError(), DWORD{WSAEINVAL});
}

struct Text {
    INT family;
    const char* text;
    const char* written;  // back again
};
class AddressText : public testing::TestWithParam<Text> {};

TEST_P(AddressText, IsReadAndWrittenInBothWidths) {
    SOCKADDR_INET address{};
    INT bytes = sizeof address;
    std::string narrow = GetParam().text;
    std::wstring wide(narrow.begin(), narrow.end());
    auto* const generic = reinterpret_cast<LPSOCKADDR>(&address);
    ASSERT_EQ(WSAStringToAddressA(narrow.data(), GetParam().family, nullptr, generic, &bytes), 0);
    EXPECT_EQ(bytes, GetParam().family == AF_INET ? 16 : 28);
    EXPECT_EQ(address.si_family, GetParam().family);
    SOCKADDR_INET again{};
    INT again_bytes = sizeof again;
    ASSERT_EQ(WSAStringToAddressW(wide.data(), GetParam().family, nullptr, reinterpret_cast<LPSOCKADDR>(&again),
                                  &again_bytes),
              0);
    EXPECT_EQ(std::memcmp(&address, &again, sizeof address), 0);

    DWORD needed = 0;
    EXPECT_EQ(WSAAddressToStringA(generic, static_cast<DWORD>(bytes), nullptr, nullptr, &needed), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAEFAULT);
    const std::string expected = GetParam().written;
    EXPECT_EQ(needed, expected.size() + 1);
    char text[80];
    DWORD room = sizeof text;
    EXPECT_EQ(WSAAddressToStringA(generic, static_cast<DWORD>(bytes), nullptr, text, &room), 0);
    EXPECT_EQ(text, expected);
    wchar_t wide_text[80];
    room = 80;
    EXPECT_EQ(WSAAddressToStringW(generic, static_cast<DWORD>(bytes), nullptr, wide_text, &room), 0);
    EXPECT_EQ(wide_text, std::wstring(expected.begin(), expected.end()));
}
INSTANTIATE_TEST_SUITE_P(
    Forms, AddressText,
    testing::Values(Text{AF_INET, "192.0.2.7", "192.0.2.7"}, Text{AF_INET, "192.0.2.7:54321", "192.0.2.7:54321"},
                    Text{AF_INET6, "2001:db8::1", "2001:db8::1"}, Text{AF_INET6, "[2001:db8::1]", "2001:db8::1"},
                    Text{AF_INET6, "[2001:db8::1]:80", "[2001:db8::1]:80"}, Text{AF_INET6, "fe80::1%3", "fe80::1%3"},
                    Text{AF_INET6, "[fe80::1%3]:80", "[fe80::1%3]:80"}));

class NoAddress : public testing::TestWithParam<std::pair<INT, const char*>> {};

TEST_P(NoAddress, LeavesTheAddressAsItWas) {
    SOCKADDR_INET address{};
    INT bytes = sizeof address;
    std::string text = GetParam().second;
    EXPECT_EQ(
        WSAStringToAddressA(text.data(), GetParam().first, nullptr, reinterpret_cast<LPSOCKADDR>(&address), &bytes),
        SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAEINVAL);
    EXPECT_EQ(address.Ipv4.sin_addr.s_addr, 0u);
    EXPECT_EQ(address.si_family, 0);
}
INSTANTIATE_TEST_SUITE_P(Forms, NoAddress,
                         testing::Values(std::pair{AF_INET, ""}, std::pair{AF_INET, "host"},
                                         std::pair{AF_INET, "1.2.3"}, std::pair{AF_INET, "1.2.3.4:"},
                                         std::pair{AF_INET, "1.2.3.4:70000"}, std::pair{AF_INET, "::1"},
                                         std::pair{AF_INET6, "1.2.3.4"}, std::pair{AF_INET6, "[::1"},
                                         std::pair{AF_INET6, "[::1]80"}, std::pair{AF_INET6, "::1%nowhere"}));

TEST(AddressRoom, IsToldWhenThereIsTooLittle) {
    SOCKADDR_IN address{};
    INT bytes = 4;
    char text[] = "1.2.3.4";
    auto* const generic = reinterpret_cast<LPSOCKADDR>(&address);
    EXPECT_EQ(WSAStringToAddressA(text, AF_INET, nullptr, generic, &bytes), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAEFAULT);
    EXPECT_EQ(bytes, 16);
    EXPECT_EQ(WSAStringToAddressA(nullptr, AF_INET, nullptr, generic, &bytes), SOCKET_ERROR);
    EXPECT_EQ(WSAStringToAddressA(text, AF_UNIX, nullptr, generic, &bytes), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAEAFNOSUPPORT);
    DWORD room = 80;
    EXPECT_EQ(WSAAddressToStringA(generic, 16, nullptr, text, &room), SOCKET_ERROR) << "family 0";
    EXPECT_EQ(WSAGetLastError(), WSAEINVAL);
}

TEST(AddressText, OfIpAddressesAlone) {
    IN6_ADDR address{};
    EXPECT_EQ(InetPtonW(AF_INET6, L"::2", &address), 1);
    EXPECT_EQ(address.u.Byte[15], 2);
    EXPECT_EQ(address.u.Word[7], htons(2));
    WCHAR text[INET6_ADDRSTRLEN];
    EXPECT_EQ(InetNtopW(AF_INET6, &address, text, ARRAYSIZE(text)), text);
    EXPECT_STREQ(text, L"::2");
    EXPECT_EQ(InetNtopW(AF_INET6, &address, text, 3), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(InetPtonW(AF_INET6, L"nothing", &address), 0);
    EXPECT_EQ(InetPtonW(AF_UNIX, L"::2", &address), -1);
    EXPECT_EQ(WSAGetLastError(), WSAEAFNOSUPPORT);
    IN_ADDR v4{};
    EXPECT_EQ(InetPtonA(AF_INET, "1.2.3.4", &v4), 1);
    EXPECT_EQ(v4.S_un.S_un_b.s_b4, 4);
    EXPECT_EQ(v4.S_un.S_addr, v4.s_addr);
    EXPECT_TRUE(IN4_IS_ADDR_LOOPBACK("\x7F\0\0\1"));
    EXPECT_EQ(ntohll(htonll(0x0102030405060708u)), 0x0102030405060708u);
}

TEST(Names, OfNumbersAreLookedUp) {
    ADDRINFOW hints{};
    hints.ai_flags = AI_NUMERICHOST;
    hints.ai_socktype = SOCK_STREAM;
    PADDRINFOW found = nullptr;
    ASSERT_EQ(GetAddrInfoW(L"127.0.0.1", L"80", &hints, &found), 0);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->ai_family, AF_INET);
    EXPECT_EQ(INETADDR_PORT(found->ai_addr), htons(80));
    FreeAddrInfoW(found);
    FreeAddrInfoW(nullptr);
    EXPECT_EQ(GetAddrInfoW(L"no number", L"80", &hints, &found), WSAHOST_NOT_FOUND);
    EXPECT_EQ(WSAGetLastError(), WSAHOST_NOT_FOUND);
}

TEST(Address, HasTheNamesOfOld) {
    IN_ADDR address{};
    address.s_addr = htonl(0x01020304);
    EXPECT_EQ(address.s_net, 1);
    EXPECT_EQ(address.s_host, 2);
    EXPECT_EQ(address.s_lh, 3);
    EXPECT_EQ(address.s_impno, 4);
    EXPECT_EQ(ntohs(address.s_imp), 0x0304);
    struct in_addr6 six {};
    six.s6_bytes[15] = 1;
    EXPECT_TRUE(IN6_IS_ADDR_LOOPBACK(&six));
    EXPECT_EQ(six.s6_words[7], htons(1));
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(0x7F000001);
    char host[64];
    EXPECT_EQ(
        getnameinfo(reinterpret_cast<sockaddr*>(&name), sizeof name, host, sizeof host, nullptr, 0, NI_NUMERICHOST), 0);
    EXPECT_STREQ(host, "127.0.0.1");
}

TEST(HostName, FitsOrIsRefused) {
    char name[256] = "";
    const int size = 256;
    EXPECT_EQ(gethostname(name, size), 0);
    EXPECT_NE(name[0], '\0');
    EXPECT_EQ(gethostname(name, sizeof name), 0);
    const DWORD one = 1;
    WSASetLastError(0);
    EXPECT_EQ(gethostname(name, one), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), 10014) << "WSAEFAULT";
    // The compiler takes the argument for no null pointer, if it sees which function it is.
    int (*const volatile host_name)(char*, std::size_t) = gethostname;
    EXPECT_EQ(host_name(nullptr, size), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAEFAULT);
}

}  // namespace
}  // namespace opennd
