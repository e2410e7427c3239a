// SPDX-License-Identifier: MIT
//
// The helper API of ndsupport.h. Requirements NDS-*; vectors 1 to 3.
#include <arpa/inet.h>

#include <cstring>
#include <thread>
#include <vector>

#include "conformance/nd2/nd2_test.h"

namespace opennd::conformance::nd2 {
namespace {

class Helper : public testing::Test {
protected:
    const SocketAddress loopback_ = loopback_address();
};

class StartedHelper : public Helper {
protected:
    // The list with these flags, in a buffer that it fills exactly.
    std::vector<unsigned char> list(DWORD flags) {
        SIZE_T size = 0;
        EXPECT_TRUE(is(NdQueryAddressList(flags, nullptr, &size), ND_BUFFER_OVERFLOW));
        std::vector<unsigned char> buffer(size);
        SIZE_T given = size;
        EXPECT_TRUE(is(NdQueryAddressList(flags, as_list(buffer), &given), ND_SUCCESS));
        EXPECT_EQ(given, size) << "success leaves the size alone";
        return buffer;
    }

    static SOCKET_ADDRESS_LIST* as_list(std::vector<unsigned char>& buffer) {
        return reinterpret_cast<SOCKET_ADDRESS_LIST*>(buffer.data());
    }

    support::Startup startup_;
};

TEST_F(Helper, CountsStartups) {
    provokes("CHECK-STARTUP");
    proves("NDS-START-01", "NDS-START-02");
    EXPECT_TRUE(is(NdCleanup(), ND_DEVICE_NOT_READY));
    EXPECT_TRUE(is(NdStartup(), S_OK));
    EXPECT_TRUE(is(NdStartup(), S_OK));
    EXPECT_TRUE(is(NdCleanup(), S_OK));
    EXPECT_TRUE(is(NdCheckAddress(as_sockaddr(loopback_), sizeof loopback_), ND_SUCCESS));
    EXPECT_TRUE(is(NdCleanup(), S_OK));
    EXPECT_TRUE(is(NdCleanup(), ND_DEVICE_NOT_READY));
}

TEST_F(Helper, IsNotReadyWithoutStartup) {
    provokes("CHECK-STARTUP");
    proves("NDS-START-04", "NDS-START-03");
    NdFlushProviders();
    SIZE_T size = 0;
    sockaddr_storage local{};
    SIZE_T local_size = sizeof local;
    void* adapter = nullptr;
    EXPECT_TRUE(is(NdQueryAddressList(0, nullptr, &size), ND_DEVICE_NOT_READY));
    EXPECT_TRUE(
        is(NdResolveAddress(as_sockaddr(loopback_), sizeof loopback_, reinterpret_cast<sockaddr*>(&local), &local_size),
           ND_DEVICE_NOT_READY));
    EXPECT_TRUE(is(NdCheckAddress(as_sockaddr(loopback_), sizeof loopback_), ND_DEVICE_NOT_READY));
    EXPECT_TRUE(
        is(NdOpenAdapter(IID_IND2Adapter, as_sockaddr(loopback_), sizeof loopback_, &adapter), ND_DEVICE_NOT_READY));
}

TEST_F(Helper, LeavesAdaptersUsableAfterCleanup) {
    proves("NDS-START-02", "ND2-COM-09");
    ComPtr<IND2Adapter> adapter;
    {
        support::Startup startup;
        adapter = support::open_loopback_adapter();
    }
    ND2_ADAPTER_INFO info{};
    ULONG size = sizeof info;
    EXPECT_TRUE(is(adapter->Query(&info, &size), ND_SUCCESS));
    EXPECT_EQ(adapter.reset(), 0u);
}

TEST_F(Helper, StartsAndStopsFromManyThreads) {
    provokes("CHECK-STARTUP");
    proves("NDS-START-01");
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([] {
            for (int round = 0; round < 100; ++round) {
                EXPECT_TRUE(is(NdStartup(), S_OK));
                EXPECT_TRUE(is(NdCleanup(), S_OK));
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_TRUE(is(NdCleanup(), ND_DEVICE_NOT_READY));
}

TEST_F(StartedHelper, ListsAddressesInABufferOfExactlyTheNeededSize) {
    proves("NDS-LIST-01", "NDS-LIST-03", "ND2-PRV-LIST-03", "ND2-CLI-56");
    auto buffer = list(ND_QUERY_EXCLUDE_NDv1_ADDRESSES);
    const SOCKET_ADDRESS_LIST* addresses = as_list(buffer);
    ASSERT_GE(addresses->iAddressCount, 1);
    std::size_t needed = 8;
    for (int i = 0; i < addresses->iAddressCount; ++i) {
        const SOCKET_ADDRESS& entry = addresses->Address[i];
        const auto* bytes = reinterpret_cast<const unsigned char*>(entry.lpSockaddr);
        ASSERT_GE(bytes, buffer.data());
        ASSERT_LE(bytes + entry.iSockaddrLength, buffer.data() + buffer.size()) << "inside the caller's buffer";
        ASSERT_TRUE(entry.lpSockaddr->sa_family == AF_INET || entry.lpSockaddr->sa_family == AF_INET6);
        EXPECT_EQ(entry.iSockaddrLength, entry.lpSockaddr->sa_family == AF_INET ? 16 : 28);
        needed += 16 + static_cast<std::size_t>(entry.iSockaddrLength);
        if (entry.lpSockaddr->sa_family == AF_INET) {
            const auto* address = reinterpret_cast<const sockaddr_in*>(entry.lpSockaddr);
            EXPECT_EQ(address->sin_port, 0);
        }
    }
    EXPECT_EQ(buffer.size(), needed);
}

// Which addresses the host has decides which of the two it is; both are in process/address_test.cpp.
TEST_F(StartedHelper, ListsLoopbackAloneOrNotAtAll) {
    proves("ND2-PRV-LIST-05", "ND2-AMB-54", "ND2-CLI-72");
    auto buffer = list(ND_QUERY_EXCLUDE_NDv1_ADDRESSES);
    const SOCKET_ADDRESS_LIST* addresses = as_list(buffer);
    int loopbacks = 0;
    for (int i = 0; i < addresses->iAddressCount; ++i) {
        const sockaddr* entry = addresses->Address[i].lpSockaddr;
        loopbacks += entry->sa_family == AF_INET
                         ? (ntohl(reinterpret_cast<const sockaddr_in*>(entry)->sin_addr.s_addr) >> 24) == 127
                         : IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(entry)->sin6_addr);
    }
    EXPECT_TRUE(loopbacks == 0 || loopbacks == addresses->iAddressCount) << loopbacks;
}

TEST_F(StartedHelper, ListsNothingIfEverythingIsExcluded) {
    proves("NDS-LIST-02", "NDS-LIST-01", "ND2-AMB-50");
    SIZE_T size = 123;
    EXPECT_TRUE(
        is(NdQueryAddressList(ND_QUERY_EXCLUDE_NDv1_ADDRESSES | ND_QUERY_EXCLUDE_NDv2_ADDRESSES, nullptr, &size),
           ND_SUCCESS));
    EXPECT_EQ(size, 0u);
}

TEST_F(StartedHelper, ListIgnoresEmulatorsAndUnknownFlags) {
    proves("NDS-LIST-04");
    SIZE_T plain = 0, flagged = 0;
    EXPECT_TRUE(is(NdQueryAddressList(0, nullptr, &plain), ND_BUFFER_OVERFLOW));
    EXPECT_TRUE(is(NdQueryAddressList(0xFFFFFFF8 | ND_QUERY_EXCLUDE_EMULATOR_ADDRESSES, nullptr, &flagged),
                   ND_BUFFER_OVERFLOW));
    EXPECT_EQ(plain, flagged);
}

TEST_F(StartedHelper, ListTooSmallByOneByteIsAnOverflow) {
    proves("NDS-LIST-03");
    SIZE_T needed = 0;
    ASSERT_TRUE(is(NdQueryAddressList(0, nullptr, &needed), ND_BUFFER_OVERFLOW));
    std::vector<unsigned char> buffer(needed, 0xEE);
    SIZE_T size = needed - 1;
    EXPECT_TRUE(is(NdQueryAddressList(0, as_list(buffer), &size), ND_BUFFER_OVERFLOW));
    EXPECT_EQ(size, needed);
    EXPECT_EQ(buffer, std::vector<unsigned char>(needed, 0xEE)) << "untouched";
}

TEST_F(StartedHelper, ResolvesALoopbackAddressToItself) {
    proves("NDS-RES-01", "NDS-RES-02", "NDS-RES-04");
    const SocketAddress remote = loopback_address(4711);
    SocketAddress local{};
    SIZE_T size = 1;
    EXPECT_TRUE(
        is(NdResolveAddress(as_sockaddr(remote), sizeof remote, as_sockaddr(local), &size), ND_BUFFER_OVERFLOW));
    EXPECT_EQ(size, 16u);
    size = sizeof local;
    EXPECT_TRUE(is(NdResolveAddress(as_sockaddr(remote), sizeof remote, as_sockaddr(local), &size), S_OK));
    EXPECT_EQ(size, 16u);
    EXPECT_EQ(local.ipv4.sin_family, support::loopback_address().ipv4.sin_family);
    EXPECT_TRUE(local.same_host(support::loopback_address()));
    EXPECT_EQ(local.ipv4.sin_port, 0);
}

TEST_F(StartedHelper, ChecksAddressesByIpAlone) {
    proves("NDS-CHK-01", "NDS-CHK-02", "ND2-CLI-110");
    const SocketAddress with_port = loopback_address(1234);
    EXPECT_TRUE(is(NdCheckAddress(as_sockaddr(with_port), sizeof with_port), ND_SUCCESS));
    sockaddr_storage longer{};
    std::memcpy(&longer, &with_port, sizeof with_port);
    EXPECT_TRUE(is(NdCheckAddress(reinterpret_cast<sockaddr*>(&longer), 28), ND_SUCCESS));
    SocketAddress elsewhere = with_port;
    elsewhere.set_host("192.0.2.1", "2001:db8::1");
    EXPECT_TRUE(is(NdCheckAddress(as_sockaddr(elsewhere), sizeof elsewhere), ND_INVALID_ADDRESS));
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    EXPECT_TRUE(is(NdCheckAddress(reinterpret_cast<sockaddr*>(&six), 27), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(NdCheckAddress(as_sockaddr(with_port), SIZE_T{1} << 32), ND_INVALID_PARAMETER_2));
}

TEST_F(StartedHelper, OpensOnlyAddressesThatAreServed) {
    proves("NDS-OPEN-01", "NDS-OPEN-02", "NDS-OPEN-04", "NDS-CHK-02");
    provokes("CHECK-PEER-ADDRESS");
    const auto open = [](SocketAddress address, SIZE_T size) {
        void* adapter = &adapter;
        const HRESULT status = NdOpenAdapter(IID_IND2Adapter, as_sockaddr(address), size, &adapter);
        EXPECT_EQ(adapter, nullptr);
        return status;
    };
    EXPECT_TRUE(is(open(loopback_, 15), ND_INVALID_PARAMETER_2));
    SocketAddress address = loopback_;
    address.ipv4.sin_family = 99;
    EXPECT_TRUE(is(open(address, sizeof address), ND_INVALID_ADDRESS));
    address = loopback_;
    address.set_host("192.0.2.1", "2001:db8::1");
    EXPECT_TRUE(is(open(address, sizeof address), ND_INVALID_ADDRESS));
    address.set_host("0.0.0.0", "::");
    EXPECT_TRUE(is(open(address, sizeof address), ND_INVALID_ADDRESS));
}

TEST_F(StartedHelper, OpenRefusesAnUnknownIid) {
    proves("NDS-OPEN-01", "ND2-COM-03");
    void* adapter = &adapter;
    EXPECT_TRUE(
        is(NdOpenAdapter(IID_IND2QueuePair, as_sockaddr(loopback_), sizeof loopback_, &adapter), E_NOINTERFACE));
    EXPECT_EQ(adapter, nullptr);
}

TEST_F(StartedHelper, AdapterIdIsStableAndPerAddress) {
    proves("ND2-PRV-RES-03", "ND2-PRV-OPEN-02");
    auto first = support::open_loopback_adapter();
    auto second = support::open_loopback_adapter();
    EXPECT_NE(first.get(), second.get()) << "each open is an instance of its own";
    ND2_ADAPTER_INFO one{}, two{};
    ULONG size = sizeof one;
    ASSERT_TRUE(is(first->Query(&one, &size), ND_SUCCESS));
    ASSERT_TRUE(is(second->Query(&two, &size), ND_SUCCESS));
    EXPECT_EQ(one.AdapterId, two.AdapterId);
}

TEST_F(StartedHelper, AdapterListsItsOwnAddresses) {
    proves("ND2-ADP-ADDR-01", "ND2-PRV-LIST-01");
    auto adapter = support::open_loopback_adapter();
    ULONG size = 0;
    ASSERT_TRUE(is(adapter->QueryAddressList(nullptr, &size), ND_BUFFER_OVERFLOW));
    std::vector<unsigned char> buffer(size);
    ASSERT_TRUE(is(adapter->QueryAddressList(as_list(buffer), &size), ND_SUCCESS));
    bool own = false;
    for (int i = 0; i < as_list(buffer)->iAddressCount; ++i) {
        const SOCKET_ADDRESS& entry = as_list(buffer)->Address[i];
        SocketAddress address{};
        std::memcpy(as_sockaddr(address), entry.lpSockaddr, static_cast<std::size_t>(entry.iSockaddrLength));
        own |= address.same_host(loopback_);
        EXPECT_TRUE(is(NdCheckAddress(entry.lpSockaddr, static_cast<SIZE_T>(entry.iSockaddrLength)), ND_SUCCESS));
    }
    EXPECT_TRUE(own);
}

}  // namespace
}  // namespace opennd::conformance::nd2
