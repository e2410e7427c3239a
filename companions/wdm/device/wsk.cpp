// SPDX-License-Identifier: MIT
// Winsock Kernel's registration, and the one thing that its provider does here: hand out NDK adapters.
#include <condition_variable>
#include <mutex>
#include <new>
#include <string>

#include "kernel/status.h"
#include "wdm/checking/checking.h"
#include "wdm/device/adapters.h"
#include "wskndk.h"

using namespace opennd::wdm;

// One registration.
struct _WSK_CLIENT {
    USHORT version;
    std::mutex mutex;  // guards both below
    std::condition_variable changed;
    ULONG captures = 0;
    ULONG adapters = 0;

    void add(ULONG& count) {
        const std::lock_guard held(mutex);
        ++count;
    }
    void remove(ULONG& count) {
        const std::lock_guard held(mutex);
        --count;
        changed.notify_all();
    }
};

namespace {

constexpr const char* kKind = "WSK registration";
constexpr USHORT kVersion = MAKE_WSK_VERSION(1, 0);

// Null, and reported: it is not registered.
WSK_CLIENT* client_of(const WSK_REGISTRATION& registration, const char* call) {
    (void)expect_irql_at_most(PASSIVE_LEVEL, call, {kKind, &registration});
    if (registration.ReservedRegistrationContext == nullptr)
        report(OPENND_WDM_RULE_CLOSED, {kKind, &registration},
               std::string(call) + " of a client that is not registered any more");
    return static_cast<WSK_CLIENT*>(registration.ReservedRegistrationContext);
}

NTSTATUS open_adapter(PWSK_CLIENT client, NDK_VERSION version, NET_IFINDEX if_index, NDK_ADAPTER** adapter) {
    const NTSTATUS status = opennd::wdm::open_adapter(version, if_index, adapter, "WskOpenNdkAdapter");
    if (NT_SUCCESS(status)) client->add(client->adapters);
    return status;
}

VOID close_adapter(PWSK_CLIENT client, NDK_ADAPTER* adapter) {
    opennd::wdm::close_adapter(adapter, "WskCloseNdkAdapter");
    if (adapter != nullptr) client->remove(client->adapters);
}

// A request that came with an IRP ends by it, too.
NTSTATUS end(PIRP irp, NTSTATUS status, ULONG_PTR bytes = 0) {
    if (irp != nullptr) {
        irp->IoStatus.Status = status;
        irp->IoStatus.Information = bytes;
        IoCompleteRequest(irp, IO_NO_INCREMENT);
    }
    return status;
}

NTSTATUS control_client(PWSK_CLIENT, ULONG code, SIZE_T input_bytes, PVOID input, SIZE_T output_bytes, PVOID output,
                        SIZE_T* returned, PIRP irp) {
    if (code != WSKNDK_GET_WSK_PROVIDER_NDK_DISPATCH) return end(irp, STATUS_NOT_SUPPORTED);
    if (input_bytes != 0 || input != nullptr || output == nullptr || output_bytes < sizeof(WSK_PROVIDER_NDK_DISPATCH))
        return end(irp, STATUS_INVALID_PARAMETER);
    *static_cast<WSK_PROVIDER_NDK_DISPATCH*>(output) = {.WskOpenNdkAdapter = open_adapter,
                                                        .WskCloseNdkAdapter = close_adapter};
    if (returned != nullptr) *returned = sizeof(WSK_PROVIDER_NDK_DISPATCH);
    return end(irp, STATUS_SUCCESS, sizeof(WSK_PROVIDER_NDK_DISPATCH));
}

constexpr WSK_PROVIDER_DISPATCH kProvider = {
    .Version = kVersion,
    .Reserved = 0,
    .WskSocket = [](PWSK_CLIENT, ADDRESS_FAMILY, USHORT, ULONG, ULONG, PVOID, const VOID*, PEPROCESS, PETHREAD,
                    PSECURITY_DESCRIPTOR, PIRP irp) { return end(irp, STATUS_NOT_SUPPORTED); },
    .WskSocketConnect = [](PWSK_CLIENT, USHORT, ULONG, PSOCKADDR, PSOCKADDR, ULONG, PVOID, const VOID*, PEPROCESS,
                           PETHREAD, PSECURITY_DESCRIPTOR, PIRP irp) { return end(irp, STATUS_NOT_SUPPORTED); },
    .WskControlClient = control_client,
    .WskGetAddressInfo = [](PWSK_CLIENT, PUNICODE_STRING, PUNICODE_STRING, ULONG, GUID*, PADDRINFOEXW, PADDRINFOEXW*,
                            PEPROCESS, PETHREAD, PIRP irp) { return end(irp, STATUS_NOT_SUPPORTED); },
    .WskFreeAddressInfo = [](PWSK_CLIENT, PADDRINFOEXW) {},
    .WskGetNameInfo = [](PWSK_CLIENT, PSOCKADDR, ULONG, PUNICODE_STRING, PUNICODE_STRING, ULONG, PEPROCESS, PETHREAD,
                         PIRP irp) { return end(irp, STATUS_NOT_SUPPORTED); }};

}  // namespace

NTSTATUS WskRegister(PWSK_CLIENT_NPI WskClientNpi, PWSK_REGISTRATION WskRegistration) {
    (void)expect_irql_at_most(PASSIVE_LEVEL, "WskRegister", {kKind, WskRegistration});
    if (WskClientNpi == nullptr || WskClientNpi->Dispatch == nullptr || WskRegistration == nullptr)
        return STATUS_INVALID_PARAMETER;
    auto* const client = new (std::nothrow) WSK_CLIENT;
    if (client == nullptr) return STATUS_INSUFFICIENT_RESOURCES;
    client->version = WskClientNpi->Dispatch->Version;
    *WskRegistration = {
        .ReservedRegistrationState = 1, .ReservedRegistrationContext = client, .ReservedRegistrationLock = 0};
    return STATUS_SUCCESS;
}

NTSTATUS WskCaptureProviderNPI(PWSK_REGISTRATION WskRegistration, ULONG, PWSK_PROVIDER_NPI WskProviderNpi) {
    WSK_CLIENT* const client = client_of(*WskRegistration, "WskCaptureProviderNPI");
    if (client == nullptr || client->version >> 8 != kVersion >> 8) return STATUS_NOINTERFACE;
    client->add(client->captures);
    *WskProviderNpi = {.Client = client, .Dispatch = &kProvider};
    return STATUS_SUCCESS;
}

VOID WskReleaseProviderNPI(PWSK_REGISTRATION WskRegistration) {
    WSK_CLIENT* const client = client_of(*WskRegistration, "WskReleaseProviderNPI");
    if (client == nullptr) return;
    std::unique_lock held(client->mutex);
    if (client->captures == 0) {
        held.unlock();
        report(OPENND_WDM_RULE_REFERENCE_COUNT, {kKind, WskRegistration},
               "WskReleaseProviderNPI of a provider that is not captured");
        return;
    }
    client->changed.wait(held, [&] { return client->captures > 1 || client->adapters == 0; });
    --client->captures;
    client->changed.notify_all();
}

VOID WskDeregister(PWSK_REGISTRATION WskRegistration) {
    WSK_CLIENT* const client = client_of(*WskRegistration, "WskDeregister");
    if (client == nullptr) return;
    {
        std::unique_lock held(client->mutex);
        client->changed.wait(held, [&] { return client->captures == 0 && client->adapters == 0; });
    }
    delete client;
    *WskRegistration = {};
}
