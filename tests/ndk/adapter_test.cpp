// SPDX-License-Identifier: MIT
//
// Opening, versions, an adapter's facts about itself.
#include <net/if.h>

#include <cstring>
#include <thread>
#include <vector>

#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

NTSTATUS open(NDK_VERSION version, ULONG flags = 0) {
    Loopback local;
    NDK_ADAPTER* adapter = nullptr;
    const NTSTATUS status = opennd_ndk_open_adapter_by_address(version, local.get(), local.length(), flags, &adapter);
    EXPECT_EQ(status == STATUS_SUCCESS, adapter != nullptr);
    opennd_ndk_close_adapter(adapter);
    return status;
}

TEST(NdkAdapter, GivesTheHighestMinorVersionOfTheMajorOne) {
    proves("NDK-ADP-INFO-01", "NDK-CONS-01", "NDK-CONS-02");
    for (const auto& [asked, got] :
         {std::pair<NDK_VERSION, NDK_VERSION>{{1, 0}, {1, 2}}, {{1, 2}, {1, 2}}, {{2, 0}, {2, 1}}, {{2, 1}, {2, 1}}}) {
        const Adapter adapter(asked);
        EXPECT_EQ(adapter.info().Version.Major, got.Major);
        EXPECT_EQ(adapter.info().Version.Minor, got.Minor);
        const Owned<NDK_CQ> queue = adapter.create_completion_queue(4);
        EXPECT_EQ(queue->Header.Version.Minor, got.Minor);
        EXPECT_EQ(queue->Header.ObjectType, NdkObjectTypeCq);
        EXPECT_EQ(queue->Header.NdkReserved.rf[0], nullptr);
    }
    for (const NDK_VERSION none : {NDK_VERSION{0, 9}, {1, 3}, {2, 2}, {3, 0}})
        EXPECT_STATUS(open(none), NDIS_STATUS_BAD_VERSION);
}

TEST(NdkAdapter, IsOpenedByIndexOrAddressOfItsInterface) {
    proves("NDK-HOST-01", "NDK-HOST-02", "NDK-HOST-04", "NDK-HOST-06");
    NDK_ADAPTER* adapter = nullptr;
    EXPECT_STATUS(opennd_ndk_open_adapter({2, 0}, if_nametoindex("lo"), 0, &adapter), STATUS_SUCCESS);
    opennd_ndk_close_adapter(adapter);
    opennd_ndk_close_adapter(nullptr);
    EXPECT_STATUS(opennd_ndk_open_adapter({2, 0}, 0x7FFFFFFF, 0, &adapter), NDIS_STATUS_ADAPTER_NOT_FOUND);
    EXPECT_EQ(adapter, nullptr);
    EXPECT_STATUS(opennd_ndk_open_adapter({2, 0}, if_nametoindex("lo"), 0, nullptr), STATUS_INVALID_PARAMETER);
    Loopback elsewhere;
    elsewhere.address.ipv4.sin_addr.s_addr = htonl(0xC0000201);  // of the documentation's network
    EXPECT_STATUS(opennd_ndk_open_adapter_by_address({2, 0}, elsewhere.get(), elsewhere.length(), 0, &adapter),
                  NDIS_STATUS_ADAPTER_NOT_FOUND);
    Loopback other;
    other.address.ipv4.sin_addr.s_addr = htonl(0x7F010203);
    ASSERT_STATUS(opennd_ndk_open_adapter_by_address({2, 0}, other.get(), other.length(), 0, &adapter), STATUS_SUCCESS);
    opennd_ndk_close_adapter(adapter);
}

TEST(NdkAdapter, TakesOneKindOfTransportOrLeavesItOpen) {
    proves("NDK-HOST-03");
    EXPECT_STATUS(open({2, 1}, OPENND_NDK_SOFTWARE_ONLY), STATUS_SUCCESS);
    EXPECT_STATUS(open({2, 1}, OPENND_NDK_VERBS_ONLY), NDIS_STATUS_ADAPTER_NOT_FOUND);
    EXPECT_STATUS(open({2, 1}, OPENND_NDK_SOFTWARE_ONLY | OPENND_NDK_VERBS_ONLY), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(open({2, 1}, 4), STATUS_INVALID_PARAMETER);
}

TEST(NdkAdapter, AreListedWithTheirAddresses) {
    proves("NDK-HOST-07");
    ULONG count = 0;
    const NTSTATUS asked = opennd_ndk_enumerate_adapters(nullptr, &count);
    EXPECT_STATUS(asked, STATUS_BUFFER_TOO_SMALL);
    ASSERT_GT(count, 0u);
    std::vector<OPENND_NDK_ADAPTER_ENTRY> entries(count);
    ASSERT_STATUS(opennd_ndk_enumerate_adapters(entries.data(), &count), STATUS_SUCCESS);
    bool found = false;
    for (const OPENND_NDK_ADAPTER_ENTRY& entry : entries) {
        if (std::strcmp(entry.name, "lo") != 0) continue;
        found = true;
        EXPECT_EQ(entry.if_index, if_nametoindex("lo"));
        EXPECT_TRUE(entry.enabled);
        EXPECT_FALSE(entry.hardware);
        EXPECT_GT(entry.address_count, 0);
    }
    EXPECT_TRUE(found);
    EXPECT_STATUS(opennd_ndk_enumerate_adapters(nullptr, nullptr), STATUS_INVALID_PARAMETER);
}

TEST(NdkAdapter, IsQueriedByTheSizeProtocol) {
    proves("NDK-ADP-INFO-01", "NDK-CONS-05");
    const Adapter adapter;
    const auto query = adapter.call().NdkQueryAdapterInfo;
    NDK_ADAPTER_INFO info{};
    std::memset(static_cast<void*>(&info), 0xEE, sizeof info);
    ULONG bytes = 0;
    EXPECT_STATUS(query(adapter.get(), &info, nullptr), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(query(adapter.get(), nullptr, &bytes), STATUS_BUFFER_TOO_SMALL);
    EXPECT_EQ(bytes, 104u);
    bytes = 95;
    EXPECT_STATUS(query(adapter.get(), &info, &bytes), STATUS_BUFFER_TOO_SMALL);
    EXPECT_EQ(bytes, 104u);
    bytes = 96;
    EXPECT_STATUS(query(adapter.get(), &info, &bytes), STATUS_SUCCESS);
    EXPECT_EQ(bytes, 96u);
    ULONG behind = 0;  // no value of the enumeration
    std::memcpy(&behind, &info.RdmaTechnology, sizeof behind);
    EXPECT_EQ(behind, 0xEEEEEEEEu) << "behind the old layout nothing is written";
    bytes = 200;
    EXPECT_STATUS(query(adapter.get(), &info, &bytes), STATUS_SUCCESS);
    EXPECT_EQ(bytes, 104u);
    EXPECT_EQ(info.RdmaTechnology, NdkiWarp);
}

TEST(NdkAdapter, CanWhatConsumersCountOn) {
    proves("NDK-ADP-INFO-02", "NDK-ADP-INFO-03", "NDK-ADP-INFO-04", "NDK-CONS-04", "NDK-CONS-06", "NDK-CONS-07",
           "NDK-CONS-25");
    const NDK_ADAPTER_INFO info = Adapter().info();
    EXPECT_NE(info.VendorId, 0u);
    EXPECT_NE(info.DeviceId, 0u);
    EXPECT_GT(static_cast<ULONG>(info.MaxRegistrationSize), 0x80000000u);
    EXPECT_GE(info.FRMRPageCount, 256u);
    EXPECT_GE(info.MaxInitiatorRequestSge, 17u);
    EXPECT_GE(info.MaxReceiveRequestSge, 17u);
    EXPECT_EQ(info.MaxTransferLength, 0x40000000u);
    EXPECT_EQ(info.MaxInlineDataSize, 256u);
    EXPECT_EQ(info.MaxInboundReadLimit, 128u);
    EXPECT_EQ(info.MaxReceiveQueueDepth, 16384u);
    EXPECT_EQ(info.MaxCqDepth, 65536u);
    EXPECT_EQ(info.MaxCallerData, 508u);
    EXPECT_EQ(info.MaxCalleeData, 508u);
    EXPECT_EQ(info.AdapterFlags, 0x0001011Eu) << "no promise of an order that each transport would have to keep";
}

TEST(NdkAdapter, HasNoExtensions) {
    proves("NDK-EXT-01");
    const Adapter adapter;
    GUID id{};
    NDK_EXTENSION_INTERFACE extension{&id};
    EXPECT_STATUS(adapter.call().NdkQueryExtension(&adapter.get()->Header, &id, {1, 0}, &extension),
                  STATUS_NOT_SUPPORTED);
    EXPECT_EQ(extension.Dispatch, &id);
}

TEST(NdkAdapter, CallsBackOnAThreadThatSaysSo) {
    proves("NDK-GEN-21");
    EXPECT_FALSE(opennd_ndk_in_callback());
    static Calls calls;
    const auto note = [](PVOID, NTSTATUS) {
        calls.add(opennd_ndk_in_callback() ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL);
    };
    Side side;
    Loopback from, nobody(1);
    EXPECT_STATUS(
        side.connector->Dispatch->NdkConnect(side.connector.get(), side.queue_pair.get(), from.get(), from.length(),
                                             nobody.get(), nobody.length(), 1, 1, nullptr, 0, note, nullptr),
        STATUS_PENDING);
    EXPECT_STATUS(calls.next(), STATUS_SUCCESS);
}

}  // namespace
}  // namespace opennd::ndk_test
