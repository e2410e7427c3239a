/* SPDX-License-Identifier: MIT
 * Register, capture, ask; and back. */
#include "adapter/provider.h"

static const WSK_CLIENT_DISPATCH ClientDispatch = {MAKE_WSK_VERSION(1, 0), 0, NULL};

NTSTATUS ProviderAttach(PROVIDER* Provider) {
    NTSTATUS Status;
    RtlZeroMemory(Provider, sizeof *Provider);
    Provider->Client.Dispatch = &ClientDispatch;
    Status = WskRegister(&Provider->Client, &Provider->Registration);
    if (!NT_SUCCESS(Status)) return Status;
    Status = WskCaptureProviderNPI(&Provider->Registration, WSK_INFINITE_WAIT, &Provider->Wsk);
    if (!NT_SUCCESS(Status)) {
        WskDeregister(&Provider->Registration);
        return Status;
    }
    Status = Provider->Wsk.Dispatch->WskControlClient(Provider->Wsk.Client, WSKNDK_GET_WSK_PROVIDER_NDK_DISPATCH, 0,
                                                      NULL, sizeof Provider->Ndk, &Provider->Ndk, NULL, NULL);
    if (!NT_SUCCESS(Status)) ProviderDetach(Provider);
    return Status;
}

VOID ProviderDetach(PROVIDER* Provider) {
    WskReleaseProviderNPI(&Provider->Registration);
    WskDeregister(&Provider->Registration);
}
