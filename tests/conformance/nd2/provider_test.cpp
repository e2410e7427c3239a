// SPDX-License-Identifier: MIT
//
// The library as a module of providers: DllGetClassObject, the class factory, IND2Provider. Requirements ND2-PRV-*.
// Tests with addresses of their own are in process/address_test.cpp, loading and unloading in process/module_test.cpp.
#include <cstring>
#include <vector>

#include "conformance/nd2/nd2_test.h"

namespace opennd::conformance::nd2 {
namespace {

constexpr CLSID kStranger = {0xDEADBEEF, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10}};

ComPtr<IND2Provider> provider() {
    ComPtr<IND2Provider> object;
    support::require(DllGetClassObject(CLSID_OpenNDProvider, IID_IND2Provider, object.out()), S_OK,
                     "DllGetClassObject");
    return object;
}

ComPtr<IClassFactory> class_factory() {
    ComPtr<IClassFactory> object;
    support::require(DllGetClassObject(CLSID_OpenNDProvider, IID_IClassFactory, object.out()), S_OK,
                     "DllGetClassObject");
    return object;
}

UINT64 id_of(IND2Provider& provider, const SocketAddress& address) {
    UINT64 id = 0;
    support::require(provider.ResolveAddress(as_sockaddr(address), sizeof address, &id), ND_SUCCESS, "ResolveAddress");
    return id;
}

TEST(Provider, IsGivenDirectlyAndByTheFactory) {
    proves("ND2-PRV-01", "ND2-AMB-34", "ND2-PRV-04");
    ComPtr<IND2Provider> direct = provider();
    ComPtr<IND2Provider> made;
    ASSERT_TRUE(is(class_factory()->CreateInstance(nullptr, IID_IND2Provider, made.out()), S_OK));
    EXPECT_NE(direct.get(), made.get()) << "several may exist";
    const SocketAddress loopback = loopback_address();
    EXPECT_EQ(id_of(*direct.get(), loopback), id_of(*made.get(), loopback));
    EXPECT_EQ(direct.reset(), 0u);
    EXPECT_EQ(made.reset(), 0u);
}

TEST(Provider, ClassObjectRefusesOtherClassesAndInterfaces) {
    proves("ND2-PRV-01");
    void* object = &object;
    EXPECT_TRUE(is(DllGetClassObject(kStranger, IID_IClassFactory, &object), CLASS_E_CLASSNOTAVAILABLE));
    EXPECT_EQ(object, nullptr);
    object = &object;
    EXPECT_TRUE(is(DllGetClassObject(CLSID_OpenNDProvider, IID_IND2Adapter, &object), E_NOINTERFACE));
    EXPECT_EQ(object, nullptr);
    EXPECT_TRUE(is(DllGetClassObject(CLSID_OpenNDProvider, IID_IClassFactory, nullptr), E_POINTER));
}

TEST(Provider, FactoryRefusesAggregationAndOtherInterfaces) {
    const ComPtr<IClassFactory> factory = class_factory();
    void* object = &object;
    EXPECT_TRUE(is(factory->CreateInstance(factory.get(), IID_IND2Provider, &object), CLASS_E_NOAGGREGATION));
    EXPECT_EQ(object, nullptr);
    object = &object;
    EXPECT_TRUE(is(factory->CreateInstance(nullptr, IID_IND2QueuePair, &object), E_NOINTERFACE));
    EXPECT_EQ(object, nullptr);
    EXPECT_TRUE(is(factory->CreateInstance(nullptr, IID_IND2Provider, nullptr), E_POINTER));
    EXPECT_TRUE(is(factory->LockServer(TRUE), S_OK));
    EXPECT_TRUE(is(factory->LockServer(FALSE), S_OK));
}

TEST(Provider, KeepsTheModuleLoaded) {
    proves("ND2-PRV-03");
    {
        const ComPtr<IND2Provider> object = provider();
        EXPECT_TRUE(is(DllCanUnloadNow(), S_FALSE));
    }
    EXPECT_TRUE(is(DllCanUnloadNow(), S_FALSE)) << "the service threads stay";
}

TEST(Provider, ListsAddressesInABufferOfTheNeededSize) {
    proves("ND2-PRV-LIST-01", "ND2-PRV-LIST-03");
    const ComPtr<IND2Provider> object = provider();
    ULONG needed = 0;
    ASSERT_TRUE(is(object->QueryAddressList(nullptr, &needed), ND_BUFFER_OVERFLOW));
    std::vector<unsigned char> buffer(needed, 0xEE);
    auto* const list = reinterpret_cast<SOCKET_ADDRESS_LIST*>(buffer.data());
    ULONG size = needed - 1;
    EXPECT_TRUE(is(object->QueryAddressList(list, &size), ND_BUFFER_OVERFLOW));
    EXPECT_EQ(size, needed);
    EXPECT_EQ(buffer, std::vector<unsigned char>(needed, 0xEE)) << "untouched";
    EXPECT_TRUE(is(object->QueryAddressList(list, &size), ND_SUCCESS));
    EXPECT_EQ(size, needed);
    for (int i = 0; i < list->iAddressCount; ++i) {
        UINT64 id = 0;
        EXPECT_TRUE(is(object->ResolveAddress(list->Address[i].lpSockaddr,
                                              static_cast<ULONG>(list->Address[i].iSockaddrLength), &id),
                       ND_SUCCESS))
            << "what is listed is served: entry " << i;
    }
}

TEST(Provider, ResolvesAddressesByIpAlone) {
    proves("ND2-PRV-RES-01");
    const ComPtr<IND2Provider> object = provider();
    EXPECT_EQ(id_of(*object.get(), loopback_address(1)), id_of(*object.get(), loopback_address(65535)));
    SocketAddress elsewhere = loopback_address();
    elsewhere.set_host("192.0.2.1", "2001:db8::1");
    UINT64 id = 0;
    EXPECT_TRUE(is(object->ResolveAddress(as_sockaddr(elsewhere), sizeof elsewhere, &id), ND_INVALID_ADDRESS));
    EXPECT_TRUE(is(object->ResolveAddress(as_sockaddr(elsewhere), sizeof elsewhere, nullptr), ND_INVALID_PARAMETER));
}

TEST(Provider, ResolvesAddressesOfTheLengthTheirFamilyNeedsOrMore) {
    proves("ND2-PRV-RES-02");
    const ComPtr<IND2Provider> object = provider();
    UINT64 id = 0;
    sockaddr_storage storage{};
    auto* const address = reinterpret_cast<sockaddr*>(&storage);
    const SocketAddress loopback = loopback_address();
    std::memcpy(&storage, &loopback, sizeof loopback);
    EXPECT_TRUE(is(object->ResolveAddress(address, 15, &id), ND_INVALID_ADDRESS));
    EXPECT_TRUE(is(object->ResolveAddress(address, 16, &id), ND_SUCCESS));
    EXPECT_TRUE(is(object->ResolveAddress(address, sizeof storage, &id), ND_SUCCESS));
    storage.ss_family = AF_INET6;
    EXPECT_TRUE(is(object->ResolveAddress(address, 27, &id), ND_INVALID_ADDRESS));
    storage.ss_family = AF_UNIX;
    EXPECT_TRUE(is(object->ResolveAddress(address, sizeof storage, &id), ND_INVALID_ADDRESS));
    EXPECT_TRUE(is(object->ResolveAddress(nullptr, 16, &id), ND_INVALID_ADDRESS));
}

TEST(Provider, OpensTheAdapterOfAnId) {
    proves("ND2-PRV-OPEN-01", "ND2-COM-07", "ND2-COM-09");
    ComPtr<IND2Provider> object = provider();
    const UINT64 id = id_of(*object.get(), loopback_address());
    ComPtr<IND2Adapter> adapter;
    ASSERT_TRUE(is(object->OpenAdapter(IID_IND2Adapter, id, adapter.out()), ND_SUCCESS));
    EXPECT_EQ(object.reset(), 1u) << "the open adapter counts";
    ND2_ADAPTER_INFO info{};
    ULONG size = sizeof info;
    ASSERT_TRUE(is(adapter->Query(&info, &size), ND_SUCCESS));
    EXPECT_EQ(info.AdapterId, id);
}

TEST(Provider, OpensNothingForAnUnknownIdOrInterface) {
    proves("ND2-PRV-OPEN-01", "ND2-COM-03", "ND2-COM-04");
    const ComPtr<IND2Provider> object = provider();
    const UINT64 id = id_of(*object.get(), loopback_address());
    void* adapter = &adapter;
    EXPECT_TRUE(is(object->OpenAdapter(IID_IND2Adapter, ~id, &adapter), ND_INVALID_PARAMETER));
    EXPECT_EQ(adapter, nullptr);
    adapter = &adapter;
    EXPECT_TRUE(is(object->OpenAdapter(IID_IND2Listener, id, &adapter), E_NOINTERFACE));
    EXPECT_EQ(adapter, nullptr);
    EXPECT_TRUE(is(object->OpenAdapter(IID_IND2Adapter, id, nullptr), E_POINTER));
}

}  // namespace
}  // namespace opennd::conformance::nd2
