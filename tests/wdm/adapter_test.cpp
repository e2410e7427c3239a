// SPDX-License-Identifier: MIT
// The ways to an adapter that consumers take: Winsock Kernel's registration, and NDIS' provider. The loopback interface is
// the adapter.
#include <ndis.h>
#include <net/if.h>
#include <opennd_ndk.h>
#include <wskndk.h>

#include <atomic>
#include <thread>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

NET_IFINDEX loopback() { return if_nametoindex("lo"); }

constexpr WSK_CLIENT_DISPATCH kDispatch = {MAKE_WSK_VERSION(1, 0), 0, nullptr};

class WinsockKernel : public testing::Test {
protected:
    WinsockKernel() { EXPECT_EQ(WskRegister(&client_, &registration_), STATUS_SUCCESS); }
    ~WinsockKernel() override {
        WskDeregister(&registration_);
        EXPECT_EQ(opennd_wdm_report_leaks(), 0u);
    }

    void capture() { ASSERT_EQ(WskCaptureProviderNPI(&registration_, WSK_INFINITE_WAIT, &provider_), STATUS_SUCCESS); }
    void release() { WskReleaseProviderNPI(&registration_); }

    NTSTATUS control(ULONG code, SIZE_T bytes, SIZE_T* returned = nullptr, PIRP irp = nullptr) {
        return provider_.Dispatch->WskControlClient(provider_.Client, code, 0, nullptr, bytes, &ndk_, returned, irp);
    }

    NDK_ADAPTER* open(NDK_VERSION version) {
        EXPECT_EQ(control(WSKNDK_GET_WSK_PROVIDER_NDK_DISPATCH, sizeof ndk_), STATUS_SUCCESS);
        NDK_ADAPTER* adapter = nullptr;
        EXPECT_EQ(ndk_.WskOpenNdkAdapter(provider_.Client, version, loopback(), &adapter), STATUS_SUCCESS);
        return adapter;
    }

    WSK_CLIENT_NPI client_{nullptr, &kDispatch};
    WSK_REGISTRATION registration_{};
    WSK_PROVIDER_NPI provider_{};
    WSK_PROVIDER_NDK_DISPATCH ndk_{};
    Violations violations_;
};

TEST_F(WinsockKernel, HandsOutTheDispatchInline) {
    support::proves("NDK-HOST-11", "NDK-CONS-03");
    capture();
    EXPECT_EQ(control(WSKNDK_GET_WSK_PROVIDER_NDK_DISPATCH, 16), STATUS_SUCCESS);
    EXPECT_TRUE(ndk_.WskOpenNdkAdapter != nullptr && ndk_.WskCloseNdkAdapter != nullptr);
    SIZE_T returned = 0;
    EXPECT_EQ(control(WSKNDK_GET_WSK_PROVIDER_NDK_DISPATCH, 100, &returned), STATUS_SUCCESS);
    EXPECT_EQ(returned, 16u);
    EXPECT_EQ(control(WSKNDK_GET_WSK_PROVIDER_NDK_DISPATCH, 15), STATUS_INVALID_PARAMETER);
    EXPECT_EQ(control(1, 16), STATUS_NOT_SUPPORTED);
    KEVENT ended;
    KeInitializeEvent(&ended, NotificationEvent, FALSE);
    IRP irp{};
    irp.UserEvent = &ended;
    EXPECT_EQ(control(WSKNDK_GET_WSK_PROVIDER_NDK_DISPATCH, 16, nullptr, &irp), STATUS_SUCCESS);
    EXPECT_NE(KeReadStateEvent(&ended), 0);
    EXPECT_EQ(irp.IoStatus.Information, 16u);
    release();
}

TEST_F(WinsockKernel, IsThereForClientsOfVersionOne) {
    support::proves("NDK-HOST-12");
    capture();
    release();
    WSK_CLIENT_DISPATCH dispatch = kDispatch;
    dispatch.Version = MAKE_WSK_VERSION(2, 0);
    WSK_CLIENT_NPI client{nullptr, &dispatch};
    WSK_REGISTRATION registration;
    ASSERT_EQ(WskRegister(&client, &registration), STATUS_SUCCESS);
    EXPECT_EQ(WskCaptureProviderNPI(&registration, WSK_NO_WAIT, &provider_), STATUS_NOINTERFACE);
    WskDeregister(&registration);
    EXPECT_EQ(WskRegister(nullptr, &registration), STATUS_INVALID_PARAMETER);
}

TEST_F(WinsockKernel, HasNoSockets) {
    support::proves("NDK-HOST-13");
    capture();
    const WSK_PROVIDER_DISPATCH& all = *provider_.Dispatch;
    IRP irp{};
    EXPECT_EQ(all.WskSocket(provider_.Client, AF_INET, 1, 6, 0, nullptr, nullptr, nullptr, nullptr, nullptr, &irp),
              STATUS_NOT_SUPPORTED);
    EXPECT_EQ(irp.IoStatus.Status, STATUS_NOT_SUPPORTED);
    EXPECT_EQ(all.WskSocketConnect(provider_.Client, 1, 6, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr,
                                   nullptr, nullptr),
              STATUS_NOT_SUPPORTED);
    EXPECT_EQ(all.WskGetAddressInfo(provider_.Client, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr,
                                    nullptr),
              STATUS_NOT_SUPPORTED);
    EXPECT_EQ(all.WskGetNameInfo(provider_.Client, nullptr, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr),
              STATUS_NOT_SUPPORTED);
    all.WskFreeAddressInfo(provider_.Client, nullptr);
    release();
}

TEST_F(WinsockKernel, OpensAnAdapterByItsIndex) {
    support::proves("NDK-HOST-14", "NDK-CONS-01", "NDK-CONS-02");
    capture();
    for (const NDK_VERSION version : {NDK_VERSION{1, 0}, NDK_VERSION{2, 0}}) {
        NDK_ADAPTER* const adapter = open(version);
        ASSERT_NE(adapter, nullptr);
        NDK_ADAPTER_INFO info{};
        ULONG bytes = sizeof info;
        EXPECT_EQ(adapter->Dispatch->NdkQueryAdapterInfo(adapter, &info, &bytes), STATUS_SUCCESS);
        EXPECT_EQ(info.Version.Major, version.Major);
        ndk_.WskCloseNdkAdapter(provider_.Client, adapter);
    }
    NDK_ADAPTER* none = nullptr;
    EXPECT_EQ(ndk_.WskOpenNdkAdapter(provider_.Client, {7, 0}, loopback(), &none), NDIS_STATUS_BAD_VERSION);
    EXPECT_EQ(ndk_.WskOpenNdkAdapter(provider_.Client, {2, 0}, 0x7FFFFFF0, &none), NDIS_STATUS_ADAPTER_NOT_FOUND);
    EXPECT_EQ(ndk_.WskOpenNdkAdapter(provider_.Client, {2, 0}, loopback(), nullptr), STATUS_INVALID_PARAMETER);
    EXPECT_EQ(none, nullptr);
    ndk_.WskCloseNdkAdapter(provider_.Client, nullptr);
    release();
}

TEST_F(WinsockKernel, ReleaseWaitsForTheAdapter) {
    support::proves("NDK-HOST-13", "NDK-CONS-12");
    capture();
    NDK_ADAPTER* const adapter = open({2, 0});
    std::atomic<bool> closed{false};
    std::atomic<bool> releasing{false};
    std::thread closer([&] {
        while (!releasing) std::this_thread::yield();
        closed = true;
        ndk_.WskCloseNdkAdapter(provider_.Client, adapter);
    });
    releasing = true;
    release();
    EXPECT_TRUE(closed);
    closer.join();
}

TEST_F(WinsockKernel, ReleasedTooOftenIsReported) {
    capture();
    release();
    release();
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_REFERENCE_COUNT, "WSK registration", &registration_));
    WSK_REGISTRATION none{};
    WskDeregister(&none);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_CLOSED, "WSK registration", &none));
    WskReleaseProviderNPI(&none);
    EXPECT_EQ(WskCaptureProviderNPI(&none, WSK_NO_WAIT, &provider_), STATUS_NOINTERFACE);
    EXPECT_EQ(violations_.take_all().size(), 2u);
}

TEST_F(WinsockKernel, AtDispatchLevelIsReported) {
    const KIRQL before = KeRaiseIrqlToDpcLevel();
    capture();
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_IRQL, "WSK registration", &registration_));
    KeLowerIrql(before);
    release();
}

TEST_F(WinsockKernel, GuardsWhatItOpens) {
    capture();
    NDK_ADAPTER* const adapter = open({2, 0});
    NDK_CQ* cq = nullptr;
    KEVENT made;
    KeInitializeEvent(&made, NotificationEvent, FALSE);
    const auto created = [](PVOID context, NTSTATUS, NDK_OBJECT_HEADER*) {
        EXPECT_EQ(KeGetCurrentIrql(), DISPATCH_LEVEL);
        KeSetEvent(static_cast<PKEVENT>(context), 0, FALSE);
    };
    const NTSTATUS status = adapter->Dispatch->NdkCreateCq(adapter, 8, nullptr, nullptr, nullptr, created, &made, &cq);
    ASSERT_EQ(status, STATUS_SUCCESS);
    EXPECT_EQ(opennd_wdm_report_leaks(), 2u);
    violations_.take_all();
    EXPECT_EQ(cq->Dispatch->NdkCloseCq(
                  &cq->Header, [](PVOID) {}, nullptr),
              STATUS_SUCCESS);
    ndk_.WskCloseNdkAdapter(provider_.Client, adapter);
    EXPECT_TRUE(violations_.were_none());
    release();
}

struct Closed {
    KEVENT event;
    KIRQL irql;
};

VOID closed(PVOID context) {
    auto* const closed = static_cast<Closed*>(context);
    closed->irql = KeGetCurrentIrql();
    KSPIN_LOCK lock;
    KeInitializeSpinLock(&lock);
    KeReleaseSpinLock(&lock, KeAcquireSpinLockRaiseToDpc(&lock));
    KeSetEvent(&closed->event, IO_NO_INCREMENT, FALSE);
}

// Its domain is closed before its region, so that the completion comes as a callback.
void close_in_a_callback(NDK_ADAPTER* adapter, Closed& domain) {
    const auto created = [](PVOID, NTSTATUS, NDK_OBJECT_HEADER*) {};
    NDK_PD* pd = nullptr;
    NDK_MR* mr = nullptr;
    ASSERT_EQ(adapter->Dispatch->NdkCreatePd(adapter, created, nullptr, &pd), STATUS_SUCCESS);
    ASSERT_EQ(pd->Dispatch->NdkCreateMr(pd, FALSE, created, nullptr, &mr), STATUS_SUCCESS);
    KeInitializeEvent(&domain.event, NotificationEvent, FALSE);
    ASSERT_EQ(pd->Dispatch->NdkClosePd(&pd->Header, closed, &domain), STATUS_PENDING);
    Closed region{};
    KeInitializeEvent(&region.event, NotificationEvent, FALSE);
    if (mr->Dispatch->NdkCloseMr(&mr->Header, closed, &region) == STATUS_PENDING)
        KeWaitForSingleObject(&region.event, Executive, KernelMode, FALSE, nullptr);
    KeWaitForSingleObject(&domain.event, Executive, KernelMode, FALSE, nullptr);
}

TEST(CallbackIrql, IsDispatchLevelHoweverTheAdapterWasOpened) {
    Violations violations;
    Closed domain{};
    NDK_ADAPTER* adapter = nullptr;
    ASSERT_EQ(opennd_ndk_open_adapter({2, 0}, loopback(), 0, &adapter), STATUS_SUCCESS);
    close_in_a_callback(adapter, domain);
    opennd_ndk_close_adapter(adapter);
    EXPECT_EQ(domain.irql, DISPATCH_LEVEL);

    const NDIS_NDK_PROVIDER_CHARACTERISTICS* const provider = opennd_ndk_provider();
    const auto context = reinterpret_cast<NDIS_HANDLE>(ULONG_PTR{loopback()});
    NDIS_OPEN_NDK_ADAPTER_PARAMETERS parameters{{2, 0}, 0, 0};
    domain = {};
    ASSERT_EQ(provider->OpenNDKAdapterHandler(context, &parameters, &adapter), NDIS_STATUS_SUCCESS);
    close_in_a_callback(adapter, domain);
    provider->CloseNDKAdapterHandler(context, adapter);
    EXPECT_EQ(domain.irql, DISPATCH_LEVEL);
    EXPECT_EQ(KeGetCurrentIrql(), PASSIVE_LEVEL);
    EXPECT_TRUE(violations.were_none());
}

TEST(Ndis, OpensTheDefaultPortOfAnInterface) {
    support::proves("NDK-HOST-10");
    const NDIS_NDK_PROVIDER_CHARACTERISTICS* const provider = opennd_ndk_provider();
    EXPECT_EQ(provider->Header.Type, NDIS_OBJECT_TYPE_NDK_PROVIDER_CHARACTERISTICS);
    EXPECT_EQ(provider->Header.Revision, NDIS_NDK_PROVIDER_CHARACTERISTICS_REVISION_1);
    EXPECT_EQ(provider->Header.Size, sizeof *provider);
    EXPECT_EQ(provider->Flags, 0u);
    const auto context = reinterpret_cast<NDIS_HANDLE>(ULONG_PTR{loopback()});
    NDIS_OPEN_NDK_ADAPTER_PARAMETERS parameters{{2, 0}, 0, 0};
    NDK_ADAPTER* adapter = nullptr;
    ASSERT_EQ(provider->OpenNDKAdapterHandler(context, &parameters, &adapter), NDIS_STATUS_SUCCESS);
    EXPECT_EQ(adapter->Header.ObjectType, NdkObjectTypeAdapter);
    provider->CloseNDKAdapterHandler(context, adapter);
    parameters.VPortId = 1;
    EXPECT_EQ(provider->OpenNDKAdapterHandler(context, &parameters, &adapter), NDIS_STATUS_NOT_SUPPORTED);
    EXPECT_EQ(provider->OpenNDKAdapterHandler(context, nullptr, &adapter), STATUS_INVALID_PARAMETER);
}

}  // namespace
}  // namespace opennd
