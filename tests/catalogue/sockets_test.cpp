// SPDX-License-Identifier: MIT
//
// Winsock's own calls: sockets, requests about addresses, changes of addresses, interfaces.
#include <ws2tcpip.h>

#include <iphlpapi.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "process/child.h"
#include "process/private_network.h"

namespace opennd::catalogue {
namespace {

sockaddr_in loopback(unsigned short port = 0) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.S_un.S_addr = htonl(INADDR_LOOPBACK);
    return address;
}

sockaddr* raw(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

class Socket : public testing::Test {
protected:
    Socket() : socket_(WSASocketW(AF_INET, SOCK_STREAM, 0, nullptr, 0, WSA_FLAG_OVERLAPPED)) {}
    ~Socket() override { closesocket(socket_); }

    const SOCKET socket_;
};

TEST_F(Socket, IsMadeAndClosed) {
    ASSERT_NE(socket_, INVALID_SOCKET);
    const SOCKET other = WSASocketA(AF_INET6, SOCK_DGRAM, 0, nullptr, 0, 0);
    ASSERT_NE(other, INVALID_SOCKET);
    EXPECT_EQ(closesocket(other), 0);
    EXPECT_EQ(closesocket(other), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAENOTSOCK);
    EXPECT_EQ(WSASocketW(AF_UNIX, SOCK_STREAM, 0, nullptr, 0, 0), INVALID_SOCKET);
    EXPECT_EQ(WSAGetLastError(), WSAEAFNOSUPPORT);
}

TEST_F(Socket, LeavesItsFailureForWinsock) {
    sockaddr_in address = loopback(1);  // where nobody listens
    EXPECT_EQ(connect(socket_, raw(address), sizeof address), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAECONNREFUSED);
    char byte = 0;
    EXPECT_EQ(send(socket_, &byte, 1, 0), SOCKET_ERROR) << "and no signal ends the program";
    ULONG on = 1;
    EXPECT_EQ(ioctlsocket(socket_, FIONBIO, &on), 0);
    EXPECT_EQ(ioctlsocket(socket_, 12345, &on), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAEINVAL);
}

TEST_F(Socket, TalksToAnother) {
    sockaddr_in address = loopback();
    ASSERT_EQ(bind(socket_, raw(address), sizeof address), 0);
    int length = sizeof address;
    ASSERT_EQ(getsockname(socket_, raw(address), &length), 0);
    ASSERT_EQ(listen(socket_, 1), 0);
    const SOCKET client = WSASocketW(AF_INET, SOCK_STREAM, 0, nullptr, 0, 0);
    ASSERT_EQ(connect(client, raw(address), sizeof address), 0);
    length = sizeof address;
    const SOCKET server = accept(socket_, raw(address), &length);
    ASSERT_NE(server, INVALID_SOCKET);
    EXPECT_EQ(send(client, "hello", 5, 0), 5);
    WSAPOLLFD poll{static_cast<int>(server), POLLIN, 0};
    EXPECT_EQ(WSAPoll(&poll, 1, 5000), 1);
    ULONG waiting = 0;
    EXPECT_EQ(ioctlsocket(server, FIONREAD, &waiting), 0);
    EXPECT_EQ(waiting, 5u);
    char text[8] = "";
    EXPECT_EQ(recv(server, text, sizeof text, 0), 5);
    EXPECT_STREQ(text, "hello");
    EXPECT_EQ(closesocket(client), 0);
    EXPECT_EQ(closesocket(server), 0);
}

TEST_F(Socket, TellsTheRoute) {
    sockaddr_in remote = loopback(4711);
    sockaddr_in local{};
    DWORD bytes = 0;
    const auto ask = [&](DWORD room) {
        return WSAIoctl(socket_, SIO_ROUTING_INTERFACE_QUERY, &remote, sizeof remote, &local, room, &bytes, nullptr,
                        nullptr);
    };
    EXPECT_EQ(ask(4), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAEFAULT);
    EXPECT_EQ(bytes, sizeof local);
    ASSERT_EQ(ask(sizeof local), 0);
    EXPECT_EQ(local.sin_addr.S_un.S_addr, htonl(INADDR_LOOPBACK));
    EXPECT_EQ(local.sin_port, 0);
    remote.sin_family = 99;
    EXPECT_EQ(ask(sizeof local), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAEINVAL);
}

TEST_F(Socket, ListsAddresses) {
    DWORD bytes = 0;
    EXPECT_EQ(WSAIoctl(socket_, SIO_ADDRESS_LIST_QUERY, nullptr, 0, nullptr, 0, &bytes, nullptr, nullptr),
              SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAEFAULT);
    std::vector<ULONG_PTR> buffer(bytes / sizeof(ULONG_PTR) + 1);
    ASSERT_EQ(WSAIoctl(socket_, SIO_ADDRESS_LIST_QUERY, nullptr, 0, buffer.data(), bytes, &bytes, nullptr, nullptr), 0);
    const auto* const list = reinterpret_cast<const SOCKET_ADDRESS_LIST*>(buffer.data());
    ASSERT_GE(list->iAddressCount, 1);
    for (int i = 0; i < list->iAddressCount; ++i) EXPECT_EQ(list->Address[i].lpSockaddr->sa_family, AF_INET);
    EXPECT_EQ(WSAIoctl(socket_, 0x1234, nullptr, 0, nullptr, 0, &bytes, nullptr, nullptr), SOCKET_ERROR);
    EXPECT_EQ(WSAGetLastError(), WSAEOPNOTSUPP);
}

std::vector<in_addr> listed_addresses() {
    const SOCKET socket = WSASocketW(AF_INET, SOCK_STREAM, 0, nullptr, 0, 0);
    std::vector<ULONG_PTR> buffer(256);
    DWORD bytes = 0;
    EXPECT_EQ(WSAIoctl(socket, SIO_ADDRESS_LIST_QUERY, nullptr, 0, buffer.data(),
                       static_cast<DWORD>(buffer.size() * sizeof buffer[0]), &bytes, nullptr, nullptr),
              0);
    const auto* const list = reinterpret_cast<const SOCKET_ADDRESS_LIST*>(buffer.data());
    std::vector<in_addr> addresses;
    for (int i = 0; i < list->iAddressCount; ++i)
        addresses.push_back(reinterpret_cast<const sockaddr_in*>(list->Address[i].lpSockaddr)->sin_addr);
    EXPECT_EQ(closesocket(socket), 0);
    return addresses;
}

TEST(AddressList, NamesLoopbackOnlyWhereThereIsNoOther) {
    if (const std::string refusal = process::PrivateNetwork::refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
    process::in_child([] {
        process::PrivateNetwork network;
        network.set_up(true);
        ASSERT_EQ(listed_addresses().size(), 1u);
        EXPECT_EQ(listed_addresses()[0].s_addr, htonl(INADDR_LOOPBACK));
        network.add_address("10.1.2.3", 24);
        ASSERT_EQ(listed_addresses().size(), 1u);
        EXPECT_EQ(ntohl(listed_addresses()[0].s_addr), 0x0A010203u);
        network.remove_address("10.1.2.3", 24);
        network.add_address("2001:db8::1", 128);
        EXPECT_EQ(listed_addresses().size(), 0u);
    });
}

TEST_F(Socket, CancelsWhatWaitsOnIt) {
    HANDLE const port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 0);
    const SOCKET socket = WSASocketW(AF_INET, SOCK_STREAM, 0, nullptr, 0, 0);
    HANDLE const file = reinterpret_cast<HANDLE>(socket);
    EXPECT_EQ(CreateIoCompletionPort(file, port, 3, 0), port);
    EXPECT_EQ(CreateIoCompletionPort(file, port, 4, 0), nullptr) << "it has one";
    OVERLAPPED overlapped{};
    DWORD bytes = 0;
    EXPECT_EQ(WSAIoctl(socket, SIO_ADDRESS_LIST_CHANGE, nullptr, 0, nullptr, 0, &bytes, &overlapped, nullptr),
              SOCKET_ERROR);
    ASSERT_EQ(WSAGetLastError(), WSA_IO_PENDING);
    EXPECT_EQ(closesocket(socket), 0);
    ULONG_PTR key = 0;
    OVERLAPPED* done = nullptr;
    EXPECT_FALSE(GetQueuedCompletionStatus(port, &bytes, &key, &done, 0));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_OPERATION_ABORTED});
    EXPECT_EQ(done, &overlapped);
    EXPECT_EQ(key, 3u);
    EXPECT_TRUE(CloseHandle(port));
}

TEST(AddressChange, IsTold) {
    if (const std::string refusal = process::PrivateNetwork::refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
    process::in_child([] {
        process::PrivateNetwork network;
        const SOCKET socket = WSASocketW(AF_INET, SOCK_STREAM, 0, nullptr, 0, 0);
        HANDLE const port = CreateIoCompletionPort(reinterpret_cast<HANDLE>(socket), nullptr, 5, 0);
        ASSERT_NE(port, nullptr);
        OVERLAPPED overlapped{};
        DWORD bytes = 0;
        WSAIoctl(socket, SIO_ADDRESS_LIST_CHANGE, nullptr, 0, nullptr, 0, &bytes, &overlapped, nullptr);
        ASSERT_EQ(WSAGetLastError(), WSA_IO_PENDING);
        network.set_up(true);
        network.add_address("10.1.2.3", 24);
        ULONG_PTR key = 0;
        OVERLAPPED* done = nullptr;
        EXPECT_TRUE(GetQueuedCompletionStatus(port, &bytes, &key, &done, 10'000)) << GetLastError();
        EXPECT_EQ(done, &overlapped);
        EXPECT_EQ(overlapped.Internal, 0u);
        EXPECT_EQ(closesocket(socket), 0);
    });
}

TEST(Interfaces, HaveTheLoopbackAddress) {
    ULONG bytes = 0;
    EXPECT_EQ(GetAdaptersAddresses(AF_UNSPEC, 0, nullptr, nullptr, &bytes), ULONG{ERROR_BUFFER_OVERFLOW});
    std::vector<ULONG_PTR> buffer(bytes / sizeof(ULONG_PTR) + 1);
    auto* const list = reinterpret_cast<IP_ADAPTER_ADDRESSES*>(buffer.data());
    ASSERT_EQ(GetAdaptersAddresses(AF_UNSPEC, 0, nullptr, list, &bytes), ULONG{NO_ERROR});
    const IP_ADAPTER_ADDRESSES* found = nullptr;
    for (const auto* i = list; i != nullptr; i = i->Next)
        if (i->IfType == IF_TYPE_SOFTWARE_LOOPBACK) found = i;
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->OperStatus, IfOperStatusUp);
    ASSERT_NE(found->FirstUnicastAddress, nullptr);
    EXPECT_GT(found->Mtu, 0u);
    DWORD index = 0;
    sockaddr_in address = loopback();
    EXPECT_EQ(GetBestInterfaceEx(raw(address), &index), DWORD{NO_ERROR});
    EXPECT_EQ(index, found->IfIndex);
    EXPECT_EQ(GetBestInterface(address.sin_addr.s_addr, &index), DWORD{NO_ERROR});
    NET_LUID luid{};
    NET_IFINDEX back = 0;
    EXPECT_EQ(ConvertInterfaceIndexToLuid(index, &luid), DWORD{NO_ERROR});
    EXPECT_EQ(ConvertInterfaceLuidToIndex(&luid, &back), DWORD{NO_ERROR});
    EXPECT_EQ(back, index);
    EXPECT_EQ(ConvertInterfaceIndexToLuid(0x7FFFFFF0, &luid), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(GetAdaptersAddresses(99, 0, nullptr, list, &bytes), ULONG{ERROR_INVALID_PARAMETER});
}

}  // namespace
}  // namespace opennd::catalogue
