// SPDX-License-Identifier: MIT
//
// Adapters follow the host's interfaces and addresses, on a host with addresses of the test's choice. Requirements
// ND2-PRV-LIST-*, ND2-PRV-RES-03, NDS-LIST-*, NDS-RES-03, NDS-CHK-03.
#include <arpa/inet.h>
#include <opennd.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "process/child.h"
#include "process/private_network.h"
#include "support/adapter.h"
#include "support/requirement.h"
#include "support/status.h"

namespace opennd::process {
namespace {

using support::ComPtr;
using support::is;
using support::proves;

const sockaddr* as_sockaddr(const sockaddr_in& address) { return reinterpret_cast<const sockaddr*>(&address); }
sockaddr* as_sockaddr(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

class Addresses : public testing::Test {
protected:
    void SetUp() override {
        if (const std::string refusal = PrivateNetwork::refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
    }
};

sockaddr_in ipv4(const char* text) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    inet_pton(AF_INET, text, &address.sin_addr);
    return address;
}

sockaddr_in6 ipv6(const char* text, std::uint32_t scope = 0) {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_scope_id = scope;
    inet_pton(AF_INET6, text, &address.sin6_addr);
    return address;
}

std::string text_of(const sockaddr* address) {
    char text[INET6_ADDRSTRLEN] = "";
    if (address->sa_family == AF_INET)
        return inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text, sizeof text);
    const auto* const six = reinterpret_cast<const sockaddr_in6*>(address);
    inet_ntop(AF_INET6, &six->sin6_addr, text, sizeof text);
    return six->sin6_scope_id == 0 ? std::string(text) : text + ("%" + std::to_string(six->sin6_scope_id));
}

using Texts = std::vector<std::string>;

Texts texts_of(const std::vector<unsigned char>& buffer) {
    const auto* const list = reinterpret_cast<const SOCKET_ADDRESS_LIST*>(buffer.data());
    Texts texts;
    for (int i = 0; i < list->iAddressCount; ++i) texts.push_back(text_of(list->Address[i].lpSockaddr));
    return texts;
}

ComPtr<IND2Provider> provider() {
    ComPtr<IND2Provider> object;
    EXPECT_TRUE(is(DllGetClassObject(CLSID_OpenNDProvider, IID_IND2Provider, object.out()), S_OK));
    return object;
}

// A provider's, or an adapter's.
Texts listed_by(auto& object) {
    ULONG size = 0;
    EXPECT_TRUE(is(object.QueryAddressList(nullptr, &size), ND_BUFFER_OVERFLOW));
    EXPECT_GE(size, 8u);
    std::vector<unsigned char> buffer(size);
    EXPECT_TRUE(is(object.QueryAddressList(reinterpret_cast<SOCKET_ADDRESS_LIST*>(buffer.data()), &size), ND_SUCCESS));
    return texts_of(buffer);
}

UINT64 id_of(IND2Provider& provider, const auto& address) {
    UINT64 id = 0;
    EXPECT_TRUE(is(provider.ResolveAddress(reinterpret_cast<const sockaddr*>(&address), sizeof address, &id), S_OK));
    return id;
}

Texts listed_by_the_helper() {
    SIZE_T size = 0;
    constexpr DWORD kOnce = ND_QUERY_EXCLUDE_NDv1_ADDRESSES;  // which are the same
    EXPECT_TRUE(is(NdQueryAddressList(kOnce, nullptr, &size), ND_BUFFER_OVERFLOW));
    std::vector<unsigned char> buffer(size);
    EXPECT_TRUE(
        is(NdQueryAddressList(kOnce, reinterpret_cast<SOCKET_ADDRESS_LIST*>(buffer.data()), &size), ND_SUCCESS));
    return texts_of(buffer);
}

HRESULT check(const auto& address) {
    return NdCheckAddress(reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

TEST_F(Addresses, WithoutAnyTheListIsEmptyAndStillTakesTwoCalls) {
    proves("ND2-PRV-LIST-02", "NDS-LIST-02", "ND2-AMB-50");
    in_child([] {
        const PrivateNetwork network;
        EXPECT_EQ(listed_by(*provider().get()), Texts{});
        const support::Startup startup;
        SIZE_T size = 123;
        EXPECT_TRUE(is(NdQueryAddressList(0, nullptr, &size), ND_SUCCESS));
        EXPECT_EQ(size, 0u);
    });
}

TEST_F(Addresses, WithoutAnyVersion1HasAListOfNone) {
    proves("ND1-PROV-01", "ND1-PROV-04", "ND1-FW-01");
    in_child([] {
        const PrivateNetwork network;
        ComPtr<IClassFactory> factory;
        ComPtr<INDProvider> first;
        EXPECT_TRUE(is(DllGetClassObject(CLSID_OpenNDProvider, IID_IClassFactory, factory.out()), S_OK));
        EXPECT_TRUE(is(factory->CreateInstance(nullptr, IID_INDProvider, first.out()), S_OK));
        SIZE_T size = 0;
        EXPECT_TRUE(is(first->QueryAddressList(nullptr, &size), ND_BUFFER_OVERFLOW));
        EXPECT_EQ(size, sizeof(SOCKET_ADDRESS_LIST));
        SOCKET_ADDRESS_LIST list{};
        list.iAddressCount = 7;
        EXPECT_TRUE(is(first->QueryAddressList(&list, &size), ND_SUCCESS));
        EXPECT_EQ(list.iAddressCount, 0);
    });
}

TEST_F(Addresses, AreListedWhileTheirInterfaceIsUpAndThoseOfLoopbackWhereThereIsNoOther) {
    proves("ND2-PRV-LIST-04", "ND2-PRV-LIST-05", "NDS-LIST-05", "ND2-AMB-54");
    in_child([] {
        PrivateNetwork network;
        const support::Startup startup;
        const ComPtr<IND2Provider> object = provider();
        const auto expect = [&](const Texts& texts) {
            EXPECT_EQ(listed_by(*object.get()), texts);
            EXPECT_EQ(listed_by_the_helper(), texts);
        };
        const std::string link_local = "fe80::9%" + std::to_string(network.scope());
        network.set_up(true);
        expect({"127.0.0.1", "::1"});
        network.add_address("fe80::9", 64);
        expect({link_local});
        network.add_address("192.0.2.1", 32);
        expect({"192.0.2.1", link_local});
        network.remove_address("fe80::9", 64);
        network.add_address("2001:db8::1", 128);
        expect({"192.0.2.1", "2001:db8::1"});
        network.remove_address("192.0.2.1", 32);
        expect({"2001:db8::1"});
        network.remove_address("2001:db8::1", 128);
        expect({"127.0.0.1", "::1"});
        network.set_up(false);
        EXPECT_EQ(listed_by(*object.get()), Texts{});
    });
}

TEST_F(Addresses, OfLoopbackAreListedLastWhereASettingSaysSo) {
    proves("ND2-PRV-LIST-04", "ND2-PRV-LIST-05");
    in_child([] {
        PrivateNetwork network;
        network.set_up(true);
        network.add_address("192.0.2.1", 32);
        setenv("OPENND_LIST_LOOPBACK", "1", 1);
        EXPECT_EQ(listed_by(*provider().get()), (Texts{"192.0.2.1", "127.0.0.1", "::1"}));
    });
}

TEST_F(Addresses, OfLoopbackAreServedThoughNotListed) {
    proves("ND2-PRV-LIST-05", "ND2-PRV-RES-01", "NDS-CHK-01", "NDS-RES-04");
    in_child([] {
        PrivateNetwork network;
        network.set_up(true);
        network.add_address("192.0.2.1", 32);
        const support::Startup startup;
        EXPECT_TRUE(is(check(ipv4("127.0.0.1")), ND_SUCCESS));
        EXPECT_TRUE(is(check(ipv6("::1")), ND_SUCCESS));
        const ComPtr<IND2Adapter> adapter = support::open_loopback_adapter();
        EXPECT_TRUE(adapter);
        const sockaddr_in loopback = ipv4("127.0.0.1");
        sockaddr_in local{};
        SIZE_T size = sizeof local;
        EXPECT_TRUE(is(NdResolveAddress(as_sockaddr(loopback), sizeof loopback, as_sockaddr(local), &size), S_OK));
        EXPECT_EQ(text_of(as_sockaddr(local)), "127.0.0.1");
    });
}

class OneAdapter {
public:
    explicit OneAdapter(IND2Provider& provider, UINT64 id) {
        EXPECT_TRUE(is(provider.OpenAdapter(IID_IND2Adapter, id, adapter_.out()), ND_SUCCESS));
        EXPECT_TRUE(is(adapter_->CreateOverlappedFile(&file_), ND_SUCCESS));
    }
    ~OneAdapter() {
        adapter_.reset();
        opennd_handle_close(file_);
    }
    OneAdapter(const OneAdapter&) = delete;
    OneAdapter& operator=(const OneAdapter&) = delete;

    IND2Adapter& get() const { return *adapter_.get(); }
    UINT64 id() const {
        ND2_ADAPTER_INFO info{};
        ULONG size = sizeof info;
        EXPECT_TRUE(is(adapter_->Query(&info, &size), ND_SUCCESS));
        return info.AdapterId;
    }
    // How listeners and connectors bind there; `at`: the address that results.
    HRESULT bind_listener(const auto& address, std::string* at = nullptr) const {
        return bind<IND2Listener>(IID_IND2Listener, &IND2Adapter::CreateListener, address, at);
    }
    HRESULT bind_connector(const auto& address, std::string* at = nullptr) const {
        return bind<IND2Connector>(IID_IND2Connector, &IND2Adapter::CreateConnector, address, at);
    }

private:
    template <typename T, typename Method>
    HRESULT bind(REFIID iid, Method create, const auto& address, std::string* at) const {
        ComPtr<T> object;
        EXPECT_TRUE(is((adapter_.get()->*create)(iid, file_, object.out()), ND_SUCCESS));
        const HRESULT result = object->Bind(reinterpret_cast<const sockaddr*>(&address), sizeof address);
        sockaddr_storage local{};
        ULONG size = sizeof local;
        if (at && SUCCEEDED(result)) {
            EXPECT_TRUE(is(object->GetLocalAddress(reinterpret_cast<sockaddr*>(&local), &size), ND_SUCCESS));
            *at = text_of(reinterpret_cast<const sockaddr*>(&local));
        }
        return result;
    }

    ComPtr<IND2Adapter> adapter_;
    HANDLE file_ = nullptr;
};

TEST_F(Addresses, OfAnInterfaceAreAllOfOneAdapter) {
    proves("ND2-PRV-RES-03", "ND2-ADP-ADDR-01", "ND2-CON-BIND-01", "ND2-LIS-BIND-01");
    in_child([] {
        PrivateNetwork network;
        network.set_up(true);
        network.add_address("192.0.2.1", 32);
        network.add_address("2001:db8::1", 128);
        const ComPtr<IND2Provider> object = provider();
        const UINT64 id = id_of(*object.get(), ipv4("192.0.2.1"));
        EXPECT_EQ(id_of(*object.get(), ipv6("2001:db8::1")), id);
        EXPECT_EQ(id_of(*object.get(), ipv4("127.0.0.1")), id);
        EXPECT_EQ(id_of(*object.get(), ipv6("::1")), id);
        const OneAdapter adapter(*object.get(), id);
        EXPECT_EQ(adapter.id(), id);
        EXPECT_EQ(listed_by(adapter.get()), (Texts{"192.0.2.1", "2001:db8::1", "127.0.0.1", "::1"}));
        std::string at;
        for (const char* own : {"192.0.2.1", "127.0.0.1"}) {
            EXPECT_TRUE(is(adapter.bind_listener(ipv4(own), &at), ND_SUCCESS)) << own;
            EXPECT_EQ(at, own);
            EXPECT_TRUE(is(adapter.bind_connector(ipv4(own), &at), ND_SUCCESS)) << own;
            EXPECT_EQ(at, own);
        }
        for (const char* own : {"2001:db8::1", "::1"}) {
            EXPECT_TRUE(is(adapter.bind_listener(ipv6(own), &at), ND_SUCCESS)) << own;
            EXPECT_EQ(at, own);
            EXPECT_TRUE(is(adapter.bind_connector(ipv6(own), &at), ND_SUCCESS)) << own;
            EXPECT_EQ(at, own);
        }
        EXPECT_TRUE(is(adapter.bind_listener(ipv4("0.0.0.0"), &at), ND_SUCCESS));
        EXPECT_EQ(at, "192.0.2.1") << "the first of its family";
        EXPECT_TRUE(is(adapter.bind_connector(ipv6("::"), &at), ND_SUCCESS));
        EXPECT_EQ(at, "2001:db8::1");
        EXPECT_TRUE(is(adapter.bind_listener(ipv4("192.0.2.9")), ND_INVALID_ADDRESS));
        EXPECT_TRUE(is(adapter.bind_connector(ipv6("2001:db8::9")), ND_INVALID_ADDRESS));
    });
}

TEST_F(Addresses, ComeAndGoWhileTheirAdapterIsOpen) {
    proves("ND2-PRV-RES-03", "ND2-ADP-ADDR-01", "NDS-LIST-05");
    in_child([] {
        PrivateNetwork network;
        network.set_up(true);
        network.add_address("192.0.2.1", 32);
        const ComPtr<IND2Provider> object = provider();
        const OneAdapter adapter(*object.get(), id_of(*object.get(), ipv4("192.0.2.1")));
        network.add_address("192.0.2.2", 32);
        EXPECT_EQ(id_of(*object.get(), ipv4("192.0.2.2")), adapter.id());
        EXPECT_EQ(listed_by(adapter.get()), (Texts{"192.0.2.1", "192.0.2.2", "127.0.0.1", "::1"}));
        EXPECT_TRUE(is(adapter.bind_listener(ipv4("192.0.2.2")), ND_SUCCESS));
        EXPECT_TRUE(is(adapter.bind_connector(ipv4("192.0.2.2")), ND_SUCCESS));
        network.remove_address("192.0.2.1", 32);
        EXPECT_EQ(listed_by(adapter.get()), (Texts{"192.0.2.2", "127.0.0.1", "::1"}));
        std::string at;
        EXPECT_TRUE(is(adapter.bind_listener(ipv4("0.0.0.0"), &at), ND_SUCCESS));
        EXPECT_EQ(at, "192.0.2.2");
        EXPECT_EQ(id_of(*object.get(), ipv4("192.0.2.2")), adapter.id()) << "it names the interface";
    });
}

TEST_F(Addresses, OfOtherInterfacesAreOfOtherAdapters) {
    proves("ND2-PRV-RES-03", "ND2-PRV-LIST-04", "ND2-PRV-LIST-05", "ND2-CON-BIND-01");
    if (const std::string refusal = PrivateNetwork::refusal_of_interfaces(); !refusal.empty()) GTEST_SKIP() << refusal;
    in_child([] {
        PrivateNetwork network;
        network.set_up(true);
        const unsigned first = network.add_interface("first");
        const unsigned second = network.add_interface("second");
        network.add_address(second, "198.51.100.1", 24);
        network.add_address(first, "2001:db8::1", 64);
        network.add_address(first, "192.0.2.1", 24);
        network.add_address(first, "192.0.2.7", 32, "first:1");
        const ComPtr<IND2Provider> object = provider();
        EXPECT_EQ(listed_by(*object.get()), first < second
                                                ? (Texts{"192.0.2.1", "192.0.2.7", "198.51.100.1", "2001:db8::1"})
                                                : (Texts{"198.51.100.1", "192.0.2.1", "192.0.2.7", "2001:db8::1"}));
        const UINT64 id = id_of(*object.get(), ipv4("192.0.2.1"));
        const UINT64 other = id_of(*object.get(), ipv4("198.51.100.1"));
        EXPECT_EQ(id_of(*object.get(), ipv6("2001:db8::1")), id);
        EXPECT_EQ(id_of(*object.get(), ipv4("192.0.2.7")), id) << "though it is shown under another name";
        EXPECT_NE(other, id);
        EXPECT_NE(id_of(*object.get(), ipv4("127.0.0.1")), id);
        EXPECT_EQ(id < other, first < second) << "ids are in the order of the interfaces";
        const OneAdapter adapter(*object.get(), id);
        EXPECT_EQ(listed_by(adapter.get()), (Texts{"192.0.2.1", "192.0.2.7", "2001:db8::1"}));
        EXPECT_TRUE(is(adapter.bind_listener(ipv4("192.0.2.1")), ND_SUCCESS));
        EXPECT_TRUE(is(adapter.bind_listener(ipv4("198.51.100.1")), ND_INVALID_ADDRESS));
        EXPECT_TRUE(is(adapter.bind_connector(ipv4("127.0.0.1")), ND_INVALID_ADDRESS));
    });
}

TEST_F(Addresses, OfVersion1AreEachAnAdaptersOwn) {
    proves("ND1-PROV-06", "ND1-PROV-08", "ND1-AD-LSN-01", "ND1-AD-LSN-10");
    in_child([] {
        PrivateNetwork network;
        network.set_up(true);
        network.add_address("192.0.2.1", 32);
        network.add_address("192.0.2.2", 32);
        const support::Startup startup;
        const sockaddr_in second = ipv4("192.0.2.2");
        ComPtr<INDAdapter> adapter;
        ASSERT_TRUE(is(NdOpenV1Adapter(as_sockaddr(second), sizeof second, adapter.put()), S_OK));
        ComPtr<INDListen> listen;
        USHORT port = 0;
        ASSERT_TRUE(is(adapter->Listen(0, IPPROTO_TCP, 0, &port, listen.put()), ND_SUCCESS));
        const ComPtr<IND2Provider> object = provider();
        const OneAdapter same(*object.get(), id_of(*object.get(), second));
        sockaddr_in taken = second, free = ipv4("192.0.2.1");
        taken.sin_port = free.sin_port = port;
        EXPECT_TRUE(is(same.bind_listener(taken), ND_SHARING_VIOLATION));
        EXPECT_TRUE(is(same.bind_listener(free), ND_SUCCESS)) << "the port is taken at the adapter's own address alone";
    });
}

TEST_F(Addresses, TakeTheirAdapterWithThemWhenTheLastOneGoes) {
    proves("ND2-PRV-OPEN-01", "ND2-PRV-RES-01", "NDS-LIST-05");
    in_child([] {
        PrivateNetwork network;
        network.set_up(true);
        network.add_address("192.0.2.1", 32);
        const ComPtr<IND2Provider> object = provider();
        const sockaddr_in address = ipv4("192.0.2.1");
        UINT64 id = 0;
        ASSERT_TRUE(is(object->ResolveAddress(as_sockaddr(address), sizeof address, &id), ND_SUCCESS));
        ComPtr<IND2Adapter> adapter, late;
        ASSERT_TRUE(is(object->OpenAdapter(IID_IND2Adapter, id, adapter.out()), ND_SUCCESS));
        network.remove_address("192.0.2.1", 32);
        network.set_up(false);
        EXPECT_TRUE(is(object->OpenAdapter(IID_IND2Adapter, id, late.out()), ND_INVALID_PARAMETER));
        UINT64 again = 0;
        EXPECT_TRUE(is(object->ResolveAddress(as_sockaddr(address), sizeof address, &again), ND_INVALID_ADDRESS));
        network.set_up(true);
        network.add_address("192.0.2.1", 32);
        EXPECT_TRUE(is(object->ResolveAddress(as_sockaddr(address), sizeof address, &again), ND_SUCCESS));
        EXPECT_EQ(again, id);
    });
}

HRESULT resolve(const char* remote, sockaddr_in& local) {
    const sockaddr_in address = ipv4(remote);
    local = {};
    SIZE_T size = sizeof local;
    return NdResolveAddress(as_sockaddr(address), sizeof address, as_sockaddr(local), &size);
}

TEST_F(Addresses, ResolveToTheOneThatRoutingUses) {
    proves("NDS-RES-01", "NDS-RES-03", "NDS-RES-04");
    in_child([] {
        PrivateNetwork network;
        network.set_up(true);
        network.add_address("192.0.2.1", 24);
        const support::Startup startup;
        sockaddr_in local{};
        EXPECT_TRUE(is(resolve("192.0.2.77", local), S_OK));
        EXPECT_EQ(text_of(as_sockaddr(local)), "192.0.2.1");
        EXPECT_TRUE(is(resolve("203.0.113.1", local), ND_NETWORK_UNREACHABLE)) << "no route leads there";
        network.route_here("198.51.100.0", 24);
        EXPECT_TRUE(is(resolve("198.51.100.7", local), ND_INVALID_ADDRESS)) << "the local address is no interface's";
        EXPECT_EQ(text_of(as_sockaddr(local)), "198.51.100.7") << "and is written all the same";
        const sockaddr_in remote = ipv4("192.0.2.77");
        SIZE_T size = sizeof local;
        EXPECT_TRUE(is(NdResolveAddress(as_sockaddr(remote), 15, as_sockaddr(local), &size), ND_INVALID_ADDRESS));
    });
}

TEST_F(Addresses, ResolveToNothingWhereTheHostCannotTell) {
    proves("NDS-RES-03");
    in_child([] {
        PrivateNetwork network;
        network.set_up(true);
        network.add_address("192.0.2.1", 24);
        const support::Startup startup;
        sockaddr_in local{};
        ASSERT_TRUE(is(resolve("192.0.2.77", local), S_OK));  // opens the descriptors that are opened only once
        rlimit limit{};
        getrlimit(RLIMIT_NOFILE, &limit);
        const rlimit none{0, limit.rlim_max};
        ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
        EXPECT_TRUE(is(resolve("192.0.2.77", local), ND_UNSUCCESSFUL)) << "no socket to ask with";
        ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    });
}

TEST_F(Addresses, CompareScopesOnlyWhereBothSidesHaveOne) {
    proves("NDS-CHK-03");
    in_child([] {
        PrivateNetwork network;
        network.set_up(true);
        network.add_address("fe80::9", 64);
        network.add_address("2001:db8::1", 128);
        const support::Startup startup;
        EXPECT_TRUE(is(check(ipv6("fe80::9", network.scope())), ND_SUCCESS));
        EXPECT_TRUE(is(check(ipv6("fe80::9", 0)), ND_SUCCESS));
        EXPECT_TRUE(is(check(ipv6("fe80::9", network.scope() + 1)), ND_INVALID_ADDRESS));
        EXPECT_TRUE(is(check(ipv6("2001:db8::1", 7)), ND_SUCCESS)) << "the adapter's address has no scope";
        EXPECT_TRUE(is(check(ipv6("2001:db8::2")), ND_INVALID_ADDRESS));
        EXPECT_TRUE(is(check(ipv6("::ffff:127.0.0.1")), ND_INVALID_ADDRESS)) << "another family than 127.0.0.1";
    });
}

}  // namespace
}  // namespace opennd::process
