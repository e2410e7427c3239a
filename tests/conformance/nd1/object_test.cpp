// SPDX-License-Identifier: MIT
//
// Version 1 as COM: the module, identity, reference counts, providers and helper functions. Requirements ND1-COM-*,
// ND1-PROV-*, ND1-FW-*, ND1-GEN-13 to -15.
#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "conformance/nd1/nd1_test.h"

namespace opennd::conformance::nd1 {
namespace {

class Nd1Objects : public testing::Test {
protected:
    ComPtr<INDProvider> provider() {
        ComPtr<IClassFactory> factory;
        require(DllGetClassObject(CLSID_OpenNDProvider, IID_IClassFactory, factory.out()), S_OK, "DllGetClassObject");
        ComPtr<INDProvider> object;
        require(factory->CreateInstance(nullptr, IID_INDProvider, object.out()), S_OK, "CreateInstance");
        return object;
    }
    support::Startup startup_;
};

TEST_F(Nd1Objects, TheModuleAnswersBothVersions) {
    proves("ND1-COM-11", "ND1-COM-12", "ND1-COM-13", "ND1-COM-14", "ND1-COM-15", "ND1-GEN-15", "ND1-FW-08",
           "ND2-PRV-02");
    ComPtr<IUnknown> unknown;
    ASSERT_TRUE(is(DllGetClassObject(CLSID_OpenNDProvider, IID_IUnknown, unknown.out()), S_OK));
    ComPtr<IClassFactory> factory;
    ASSERT_TRUE(is(unknown->QueryInterface(IID_IClassFactory, factory.out()), S_OK));
    ComPtr<INDProvider> first;
    ComPtr<IND2Provider> second;
    ComPtr<IUnknown> any;
    EXPECT_TRUE(is(factory->CreateInstance(nullptr, IID_INDProvider, first.out()), S_OK));
    EXPECT_TRUE(is(factory->CreateInstance(nullptr, IID_IND2Provider, second.out()), S_OK));
    EXPECT_TRUE(is(factory->CreateInstance(nullptr, IID_IUnknown, any.out()), S_OK));
    void* object = &object;
    EXPECT_TRUE(is(factory->CreateInstance(unknown.get(), IID_INDProvider, &object), CLASS_E_NOAGGREGATION));
    EXPECT_EQ(object, nullptr);
    EXPECT_TRUE(is(DllGetClassObject(IID_INDProvider, IID_IClassFactory, &object), CLASS_E_CLASSNOTAVAILABLE));
    EXPECT_TRUE(is(DllGetClassObject(CLSID_OpenNDProvider, IID_INDAdapter, &object), E_NOINTERFACE));
    EXPECT_TRUE(is(factory->LockServer(TRUE), S_OK));
    EXPECT_TRUE(is(DllCanUnloadNow(), S_FALSE));
    EXPECT_TRUE(is(factory->LockServer(FALSE), S_OK));
    EXPECT_TRUE(is(DllCanUnloadNow(), S_FALSE)) << "its threads stay";
}

TEST_F(Nd1Objects, EveryObjectHasItsIdentityAndItsCount) {
    proves("ND1-COM-04", "ND1-COM-05", "ND1-COM-06", "ND1-COM-07", "ND1-COM-08", "ND1-COM-09", "ND1-GEN-07");
    Side side;
    Listening listening(*side.adapter.get());
    const auto window = memory_window(*side.adapter.get());
    const auto provider = this->provider();
    const struct {
        IUnknown* object;
        const IID& own;
        bool overlapped;
    } objects[] = {
        {side.adapter.get(), IID_INDAdapter, true},     {side.inbound.get(), IID_INDCompletionQueue, true},
        {side.connector.get(), IID_INDConnector, true}, {listening.object.get(), IID_INDListen, true},
        {side.endpoint.get(), IID_INDEndpoint, false},  {window.get(), IID_INDMemoryWindow, false},
        {provider.get(), IID_INDProvider, false},
    };
    std::set<IUnknown*> identities;
    for (const auto& each : objects) {
        ComPtr<IUnknown> unknown, own, overlapped;
        ASSERT_TRUE(is(each.object->QueryInterface(IID_IUnknown, unknown.out()), S_OK));
        ASSERT_TRUE(is(each.object->QueryInterface(each.own, own.out()), S_OK));
        EXPECT_TRUE(identities.insert(unknown.get()).second);
        ComPtr<IUnknown> again;
        ASSERT_TRUE(is(own->QueryInterface(IID_IUnknown, again.out()), S_OK));
        EXPECT_EQ(again.get(), unknown.get());
        EXPECT_TRUE(is(each.object->QueryInterface(IID_INDOverlapped, overlapped.out()),
                       each.overlapped ? S_OK : E_NOINTERFACE));
        void* other = &other;
        EXPECT_TRUE(is(each.object->QueryInterface(IID_IND2Adapter, &other), E_NOINTERFACE));
        EXPECT_EQ(other, nullptr);
        EXPECT_TRUE(is(each.object->QueryInterface(IID_IUnknown, nullptr), E_POINTER));
        const ULONG count = each.object->AddRef();
        EXPECT_EQ(each.object->Release(), count - 1);
    }
}

// Every value between the first and the last is given out once, to any thread: none is missing in their sum.
TEST_F(Nd1Objects, CountReferencesOfManyThreads) {
    proves("ND1-COM-08", "ND1-COM-09");
    constexpr std::uint64_t kThreads = 4, kEach = 2'000'000, kAll = kThreads * kEach;  // some time slices each
    const ComPtr<INDAdapter> adapter = open_adapter();
    ComPtr<INDConnector> connector = nd1::connector(*adapter.get());
    const auto sum_of_all = [&](auto&& call) {
        std::atomic<std::uint64_t> waiting{kThreads}, sum{0};
        std::vector<std::thread> threads;
        for (std::uint64_t i = 0; i < kThreads; ++i)
            threads.emplace_back([&] {
                --waiting;
                while (waiting != 0) std::this_thread::yield();
                std::uint64_t own = 0;
                for (std::uint64_t j = 0; j < kEach; ++j) own += call();
                sum += own;
            });
        for (std::thread& each : threads) each.join();
        return sum.load();
    };
    EXPECT_EQ(sum_of_all([&] { return connector->AddRef(); }), kAll * (kAll + 3) / 2) << "2 to kAll + 1";
    EXPECT_EQ(sum_of_all([&] { return connector->Release(); }), kAll * (kAll + 1) / 2) << "kAll to 1";
    EXPECT_EQ(connector->AddRef(), 2u);
    EXPECT_EQ(connector->Release(), 1u);
    EXPECT_EQ(connector.reset(), 0u);
}

TEST_F(Nd1Objects, CanBeReleasedInAnyOrder) {
    proves("ND1-COM-10", "ND1-COM-16", "ND1-EP-GEN-24", "ND1-MW-15");
    // Scenario 10 of 7.5: every order of six objects would be 720; each object comes first and last once.
    for (std::size_t first = 0; first < 6; ++first) {
        Side side;
        auto listening = std::make_unique<Listening>(*side.adapter.get());
        ComPtr<INDMemoryWindow> window = memory_window(*side.adapter.get());
        for (std::size_t i = 0; i < 6; ++i) switch ((first + i) % 6) {
                case 0: EXPECT_EQ(side.adapter.reset(), 0u); break;
                case 1:
                    EXPECT_EQ(side.inbound.reset(), 0u);
                    EXPECT_EQ(side.outbound.reset(), 0u);
                    break;
                case 2: EXPECT_EQ(side.connector.reset(), 0u); break;
                case 3: EXPECT_EQ(side.endpoint.reset(), 0u); break;
                case 4: EXPECT_EQ(window.reset(), 0u); break;
                case 5: listening.reset(); break;
            }
    }
}

TEST_F(Nd1Objects, ProvidersListAndOpenAddresses) {
    provokes("CHECK-PEER-ADDRESS");
    proves("ND1-PROV-01", "ND1-PROV-02", "ND1-PROV-03", "ND1-PROV-05", "ND1-PROV-06", "ND1-PROV-07", "ND1-PROV-08",
           "ND1-PROV-09", "ND1-PROV-10", "ND1-COM-16");
    ComPtr<INDProvider> object = provider();
    SIZE_T needed = 0;
    EXPECT_TRUE(is(object->QueryAddressList(nullptr, nullptr), ND_INVALID_PARAMETER_2));
    ASSERT_TRUE(is(object->QueryAddressList(nullptr, &needed), ND_BUFFER_OVERFLOW));
    ASSERT_GE(needed, 24u);
    std::vector<unsigned char> buffer(needed + 8, 0xEE);
    auto* const list = reinterpret_cast<SOCKET_ADDRESS_LIST*>(buffer.data());
    SIZE_T size = needed - 1;
    EXPECT_TRUE(is(object->QueryAddressList(list, &size), ND_BUFFER_OVERFLOW));
    EXPECT_EQ(size, needed);
    EXPECT_EQ(buffer, std::vector<unsigned char>(needed + 8, 0xEE));
    size = needed + 8;
    ASSERT_TRUE(is(object->QueryAddressList(list, &size), ND_SUCCESS));
    EXPECT_EQ(size, needed);
    SIZE_T counted = 8;
    for (INT i = 0; i < list->iAddressCount; ++i) {
        const SOCKET_ADDRESS& each = list->Address[i];
        const bool four = each.lpSockaddr->sa_family == AF_INET;
        EXPECT_EQ(each.iSockaddrLength, four ? 16 : 28);
        EXPECT_EQ(reinterpret_cast<const sockaddr_in*>(each.lpSockaddr)->sin_port, 0);
        const auto* const place = reinterpret_cast<const unsigned char*>(each.lpSockaddr);
        EXPECT_TRUE(place > buffer.data() && place < buffer.data() + needed);
        counted += 16 + static_cast<SIZE_T>(each.iSockaddrLength);
        ComPtr<INDAdapter> adapter;
        EXPECT_TRUE(is(object->OpenAdapter(each.lpSockaddr, 128, adapter.put()), ND_SUCCESS)) << "what is listed opens";
    }
    EXPECT_EQ(counted, needed);
    SocketAddress address = loopback_address(77);
    ComPtr<INDAdapter> adapter;
    EXPECT_TRUE(is(object->OpenAdapter(nullptr, 16, adapter.put()), ND_INVALID_ADDRESS));
    EXPECT_TRUE(is(object->OpenAdapter(as_sockaddr(address), 15, adapter.put()), ND_INVALID_ADDRESS));
    EXPECT_TRUE(is(object->OpenAdapter(as_sockaddr(address), 16, nullptr), ND_INVALID_PARAMETER_3));
    address.set_host("192.0.2.1", "2001:db8::1");
    EXPECT_TRUE(is(object->OpenAdapter(as_sockaddr(address), 16, adapter.put()), ND_INVALID_ADDRESS));
    address = loopback_address(77);
    ASSERT_TRUE(is(object->OpenAdapter(as_sockaddr(address), 16, adapter.put()), ND_SUCCESS)) << "whatever the port";
    EXPECT_EQ(object.reset(), 0u);
    EXPECT_EQ(info_of(*adapter.get()).MaxCallerData, 56u);
}

SIZE_T listed_bytes(DWORD flags) {
    SIZE_T bytes = 0;
    const HRESULT status = NdQueryAddressList(flags, nullptr, &bytes);
    EXPECT_TRUE(status == ND_BUFFER_OVERFLOW || (status == ND_SUCCESS && bytes == 0));
    return bytes;
}

TEST_F(Nd1Objects, HelpersKnowBothVersions) {
    provokes("CHECK-PEER-ADDRESS");
    proves("ND1-FW-01", "ND1-FW-02", "ND1-FW-03", "ND1-FW-04", "ND1-FW-05", "ND1-FW-08", "NDS-LIST-01", "NDS-OPEN-01",
           "NDS-OPEN-03");
    const SIZE_T both = listed_bytes(0), first = listed_bytes(ND_QUERY_EXCLUDE_NDv2_ADDRESSES),
                 second = listed_bytes(ND_QUERY_EXCLUDE_NDv1_ADDRESSES);
    EXPECT_EQ(first, second);
    EXPECT_EQ(both - 8, 2 * (first - 8)) << "each once for either version";
    EXPECT_EQ(listed_bytes(ND_QUERY_EXCLUDE_NDv2_ADDRESSES | ND_QUERY_EXCLUDE_NDv1_ADDRESSES), 0u);
    SocketAddress address = loopback_address(1234);
    ComPtr<INDAdapter> adapter;
    ComPtr<IND2Adapter> other;
    EXPECT_TRUE(is(NdOpenV1Adapter(as_sockaddr(address), 15, adapter.put()), ND_INVALID_PARAMETER_2));
    address.ipv4.sin_family = AF_UNIX;
    EXPECT_TRUE(is(NdOpenV1Adapter(as_sockaddr(address), 16, adapter.put()), ND_INVALID_ADDRESS));
    address = loopback_address(1234);
    EXPECT_TRUE(is(NdOpenAdapter(IID_INDAdapter, as_sockaddr(address), 16, adapter.out()), ND_SUCCESS));
    EXPECT_TRUE(is(NdOpenV1Adapter(as_sockaddr(address), 16, adapter.put()), ND_SUCCESS));
    EXPECT_TRUE(is(NdOpenAdapter(IID_IND2Adapter, as_sockaddr(address), 16, other.out()), ND_SUCCESS))
        << "side by side";
    address.set_host("192.0.2.1", "2001:db8::1");
    EXPECT_TRUE(is(NdOpenV1Adapter(as_sockaddr(address), 16, adapter.put()), ND_INVALID_ADDRESS));
    EXPECT_EQ(adapter.get(), nullptr);
}

TEST(Nd1Helpers, NeedNdStartup) {
    provokes("CHECK-STARTUP");
    proves("ND1-FW-06");
    const SocketAddress address = loopback_address();
    ComPtr<INDAdapter> adapter;
    EXPECT_TRUE(is(NdOpenV1Adapter(as_sockaddr(address), 16, adapter.put()), ND_DEVICE_NOT_READY));
}

TEST_F(Nd1Objects, RefusalsAreExplainedInTheWordsOfVersion1) {
    proves("ND1-GEN-03", "ND1-GEN-14", "ND1-EP-GEN-04");
    Side side;
    ND_RESULT result;
    const std::vector<ND_SGE> many(17, side.piece(0, 8));
    const auto explained = [] {
        opennd_error error{};
        error.bytes = sizeof error;
        require(opennd_last_error(&error), ND_SUCCESS, "opennd_last_error");
        return std::string(error.status_name) + " " + error.requirement;
    };
    EXPECT_TRUE(is(side.endpoint->Receive(&result, many.data(), 17), ND_DATA_OVERRUN));
    EXPECT_EQ(explained(), "ND_DATA_OVERRUN ND1-EP-GEN-04");
    Request request;
    EXPECT_TRUE(is(side.connector->Disconnect(request), ND_CONNECTION_INVALID));
    EXPECT_EQ(explained(), "ND_CONNECTION_INVALID ND1-CN-DISC-05");
    Listening listening(*side.adapter.get());
    ComPtr<INDListen> second;
    EXPECT_TRUE(is(side.adapter->Listen(0, 0, listening.address.ipv4.sin_port, nullptr, second.put()),
                   ND_ADDRESS_ALREADY_EXISTS));
    EXPECT_EQ(explained(), "ND_ADDRESS_ALREADY_EXISTS ND1-AD-LSN-08") << "what core refused too";
    ASSERT_TRUE(is(side.receive(result, 8), ND_SUCCESS));
    ASSERT_TRUE(is(side.endpoint->Flush(), ND_SUCCESS));
    EXPECT_TRUE(comes(*side.inbound.get(), result, ND_CANCELED));
    EXPECT_EQ(explained(), "ND_CANCELED ND1-EP-GEN-10");
}

}  // namespace
}  // namespace opennd::conformance::nd1
