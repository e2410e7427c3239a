/* SPDX-License-Identifier: MIT
 * A Windows program in C that knows nothing of the Nd functions: it walks the Winsock catalogue, loads each provider's module,
 * and asks its class object for adapters. docs/porting.md tells how it is built. */
#define INITGUID
#include <ndspi.h>
#include <ndstatus.h>
#include <stdio.h>
#include <winsock2.h>
#include <ws2spi.h>
#include <ws2tcpip.h>

#define ND_SERVICE_FLAGS (XP1_GUARANTEED_DELIVERY | XP1_GUARANTEED_ORDER | XP1_MESSAGE_ORIENTED | XP1_CONNECT_DATA)

typedef HRESULT (*GetClassObject)(REFCLSID, REFIID, LPVOID*);

static int is_network_direct(const WSAPROTOCOL_INFOW* entry) {
    return (entry->dwServiceFlags1 & ND_SERVICE_FLAGS) == ND_SERVICE_FLAGS && entry->iSocketType == -1 &&
           entry->iProtocol == 0 && (entry->dwProviderFlags & PFL_NETWORKDIRECT_PROVIDER) != 0;
}

/* The provider of version 2 of the entry's module; NULL: it has none. */
static IND2Provider* load_provider(WSAPROTOCOL_INFOW* entry) {
    WCHAR path[4096], expanded[4096];
    INT length = 4096, error = 0;
    HMODULE module;
    GetClassObject get_class_object;
    IClassFactory* factory = NULL;
    IND2Provider* provider = NULL;
    if (WSCGetProviderPath(&entry->ProviderId, path, &length, &error) != 0) return NULL;
    if (ExpandEnvironmentStringsW(path, expanded, 4096) == 0) return NULL;
    module = LoadLibraryW(expanded);
    if (module == NULL) return NULL;
    get_class_object = (GetClassObject)(void*)GetProcAddress(module, "DllGetClassObject");
    if (get_class_object == NULL) return NULL;
    if (FAILED(get_class_object(&entry->ProviderId, &IID_IClassFactory, (void**)&factory))) return NULL;
    factory->lpVtbl->CreateInstance(factory, NULL, &IID_IND2Provider, (void**)&provider);
    factory->lpVtbl->Release(factory);
    return provider;
}

/* How many of the provider's adapters could be opened. */
static int open_adapters(IND2Provider* provider) {
    ULONG bytes = 0;
    int opened = 0, i;
    SOCKET_ADDRESS_LIST* list;
    if (provider->lpVtbl->QueryAddressList(provider, NULL, &bytes) != ND_BUFFER_OVERFLOW) return 0;
    list = (SOCKET_ADDRESS_LIST*)HeapAlloc(GetProcessHeap(), 0, bytes);
    if (FAILED(provider->lpVtbl->QueryAddressList(provider, list, &bytes))) return 0;
    for (i = 0; i < list->iAddressCount; ++i) {
        const SOCKET_ADDRESS* address = &list->Address[i];
        char text[64];
        DWORD text_length = sizeof text;
        UINT64 id = 0;
        IND2Adapter* adapter = NULL;
        ND2_ADAPTER_INFO info = {0};
        ULONG info_bytes = sizeof info;
        if (FAILED(
                provider->lpVtbl->ResolveAddress(provider, address->lpSockaddr, (ULONG)address->iSockaddrLength, &id)))
            continue;
        if (FAILED(provider->lpVtbl->OpenAdapter(provider, &IID_IND2Adapter, id, (void**)&adapter))) continue;
        info.InfoVersion = ND_VERSION_2;
        if (SUCCEEDED(adapter->lpVtbl->Query(adapter, &info, &info_bytes))) {
            WSAAddressToStringA(address->lpSockaddr, (DWORD)address->iSockaddrLength, NULL, text, &text_length);
            printf("    %s: messages of up to %lu bytes\n", text, info.MaxTransferLength);
            ++opened;
        }
        adapter->lpVtbl->Release(adapter);
    }
    HeapFree(GetProcessHeap(), 0, list);
    return opened;
}

int main(void) {
    WSADATA data;
    DWORD bytes = 0;
    INT error = 0;
    int count, i, opened = 0;
    WSAPROTOCOL_INFOW* entries;
    if (WSAStartup(MAKEWORD(2, 2), &data) != 0) return 1;
    if (WSCEnumProtocols(NULL, NULL, &bytes, &error) != SOCKET_ERROR || error != WSAENOBUFS) return 2;
    entries = (WSAPROTOCOL_INFOW*)HeapAlloc(GetProcessHeap(), 0, bytes);
    count = WSCEnumProtocols(NULL, entries, &bytes, &error);
    for (i = 0; i < count; ++i) {
        IND2Provider* provider;
        if (!is_network_direct(&entries[i])) continue;
        printf("%S (version %d)\n", entries[i].szProtocol, entries[i].iVersion == ND_VERSION_1 ? 1 : 2);
        provider = load_provider(&entries[i]);
        if (provider == NULL) continue;
        opened += open_adapters(provider);
        provider->lpVtbl->Release(provider);
    }
    HeapFree(GetProcessHeap(), 0, entries);
    WSACleanup();
    return opened > 0 ? 0 : 3;
}
