/* SPDX-License-Identifier: MIT
 *
 * wsk.h: Winsock Kernel for NDK consumers: register, capture the provider, ask it for the functions of wskndk.h
 * (NDK-HOST-11 to -14). Its socket and name functions are in the table and fail with STATUS_NOT_SUPPORTED.
 * PASSIVE_LEVEL throughout.
 */
#ifndef OPENND_NDK_WSK_H
#define OPENND_NDK_WSK_H

#include "../windows/ws2ipdef.h"
#include "kernel/driver.h"
#include "kernel/locks.h"
#include "kernel/threads.h"

#define MAKE_WSK_VERSION(major, minor) ((USHORT)((major) << 8 | ((minor)&0xFF)))
#define WSK_NO_WAIT                    0u
#define WSK_INFINITE_WAIT              0xFFFFFFFFu

typedef struct _WSK_CLIENT WSK_CLIENT, *PWSK_CLIENT;
typedef struct _EPROCESS* PEPROCESS;
typedef PVOID PSECURITY_DESCRIPTOR;
typedef struct addrinfoexW* PADDRINFOEXW;

/* ---- the client -------------------------------------------------------------------------------------------------- */

/* Events come from functions that OpenND does not have: never called. */
typedef NTSTATUS (*PFN_WSK_CLIENT_EVENT)(PVOID ClientContext, ULONG EventType, PVOID Information,
                                         SIZE_T InformationLength);

typedef struct _WSK_CLIENT_DISPATCH {
    USHORT Version; /* MAKE_WSK_VERSION; major version 1 */
    USHORT Reserved;
    PFN_WSK_CLIENT_EVENT WskClientEvent;
} WSK_CLIENT_DISPATCH, *PWSK_CLIENT_DISPATCH;

/* Stays where it is while the client is registered. */
typedef struct _WSK_CLIENT_NPI {
    PVOID ClientContext;
    const WSK_CLIENT_DISPATCH* Dispatch;
} WSK_CLIENT_NPI, *PWSK_CLIENT_NPI;

/* OpenND's, from WskRegister to WskDeregister. */
typedef struct _WSK_REGISTRATION {
    ULONGLONG ReservedRegistrationState;
    PVOID ReservedRegistrationContext;
    KSPIN_LOCK ReservedRegistrationLock;
} WSK_REGISTRATION, *PWSK_REGISTRATION;

/* ---- the provider ------------------------------------------------------------------------------------------------ */

typedef NTSTATUS (*PFN_WSK_SOCKET)(PWSK_CLIENT Client, ADDRESS_FAMILY AddressFamily, USHORT SocketType, ULONG Protocol,
                                   ULONG Flags, PVOID SocketContext, const VOID* Dispatch, PEPROCESS OwningProcess,
                                   PETHREAD OwningThread, PSECURITY_DESCRIPTOR SecurityDescriptor, PIRP Irp);
typedef NTSTATUS (*PFN_WSK_SOCKET_CONNECT)(PWSK_CLIENT Client, USHORT SocketType, ULONG Protocol,
                                           PSOCKADDR LocalAddress, PSOCKADDR RemoteAddress, ULONG Flags,
                                           PVOID SocketContext, const VOID* Dispatch, PEPROCESS OwningProcess,
                                           PETHREAD OwningThread, PSECURITY_DESCRIPTOR SecurityDescriptor, PIRP Irp);

/* WSKNDK_GET_WSK_PROVIDER_NDK_DISPATCH: InputBuffer NULL of 0 bytes; OutputBuffer a WSK_PROVIDER_NDK_DISPATCH, which
 * wskndk.h describes. With an Irp, that is completed, too. STATUS_SUCCESS; STATUS_INVALID_PARAMETER: a buffer does not fit;
 * STATUS_NOT_SUPPORTED: another code. */
typedef NTSTATUS (*PFN_WSK_CONTROL_CLIENT)(PWSK_CLIENT Client, ULONG ControlCode, SIZE_T InputSize, PVOID InputBuffer,
                                           SIZE_T OutputSize, PVOID OutputBuffer, SIZE_T* OutputSizeReturned, PIRP Irp);

typedef NTSTATUS (*PFN_WSK_GET_ADDRESS_INFO)(PWSK_CLIENT Client, PUNICODE_STRING NodeName, PUNICODE_STRING ServiceName,
                                             ULONG NameSpace, GUID* Provider, PADDRINFOEXW Hints, PADDRINFOEXW* Result,
                                             PEPROCESS OwningProcess, PETHREAD OwningThread, PIRP Irp);
typedef VOID (*PFN_WSK_FREE_ADDRESS_INFO)(PWSK_CLIENT Client, PADDRINFOEXW AddrInfo);
typedef NTSTATUS (*PFN_WSK_GET_NAME_INFO)(PWSK_CLIENT Client, PSOCKADDR SockAddr, ULONG SockAddrLength,
                                          PUNICODE_STRING NodeName, PUNICODE_STRING ServiceName, ULONG Flags,
                                          PEPROCESS OwningProcess, PETHREAD OwningThread, PIRP Irp);

typedef struct _WSK_PROVIDER_DISPATCH {
    USHORT Version;
    USHORT Reserved;
    PFN_WSK_SOCKET WskSocket;
    PFN_WSK_SOCKET_CONNECT WskSocketConnect;
    PFN_WSK_CONTROL_CLIENT WskControlClient;
    PFN_WSK_GET_ADDRESS_INFO WskGetAddressInfo;
    PFN_WSK_FREE_ADDRESS_INFO WskFreeAddressInfo;
    PFN_WSK_GET_NAME_INFO WskGetNameInfo;
} WSK_PROVIDER_DISPATCH, *PWSK_PROVIDER_DISPATCH;

typedef struct _WSK_PROVIDER_NPI {
    PWSK_CLIENT Client;
    const WSK_PROVIDER_DISPATCH* Dispatch;
} WSK_PROVIDER_NPI, *PWSK_PROVIDER_NPI;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* STATUS_SUCCESS; STATUS_INVALID_PARAMETER: a NULL pointer; STATUS_INSUFFICIENT_RESOURCES. */
NTSTATUS NTAPI WskRegister(PWSK_CLIENT_NPI WskClientNpi, PWSK_REGISTRATION WskRegistration);

/* Never waits: the provider is there. Each success is given back by WskReleaseProviderNPI. STATUS_SUCCESS;
 * STATUS_NOINTERFACE: the client's major version is not 1. (NDK-HOST-12) */
NTSTATUS NTAPI WskCaptureProviderNPI(PWSK_REGISTRATION WskRegistration, ULONG WaitTimeout,
                                     PWSK_PROVIDER_NPI WskProviderNpi);

/* The last one returns when the adapters that were opened through the registration are closed (NDK-HOST-13). One too many
 * is reported. */
VOID NTAPI WskReleaseProviderNPI(PWSK_REGISTRATION WskRegistration);

/* Returns when nothing is captured and no adapter open any more. */
VOID NTAPI WskDeregister(PWSK_REGISTRATION WskRegistration);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* ---- layout ------------------------------------------------------------------------------------------------------ */

OPENND_ASSERT_SIZE(WSK_CLIENT_DISPATCH, 0x10, 8);
OPENND_ASSERT_SIZE(WSK_CLIENT_NPI, 0x10, 8);
OPENND_ASSERT_SIZE(WSK_REGISTRATION, 0x18, 8);
OPENND_ASSERT_SIZE(WSK_PROVIDER_NPI, 0x10, 8);
OPENND_ASSERT_SIZE(WSK_PROVIDER_DISPATCH, 0x38, 8);
OPENND_ASSERT_OFFSET(WSK_PROVIDER_DISPATCH, Reserved, 0x02);
OPENND_ASSERT_OFFSET(WSK_PROVIDER_DISPATCH, WskSocket, 0x08);
OPENND_ASSERT_OFFSET(WSK_PROVIDER_DISPATCH, WskSocketConnect, 0x10);
OPENND_ASSERT_OFFSET(WSK_PROVIDER_DISPATCH, WskControlClient, 0x18);
OPENND_ASSERT_OFFSET(WSK_PROVIDER_DISPATCH, WskGetAddressInfo, 0x20);
OPENND_ASSERT_OFFSET(WSK_PROVIDER_DISPATCH, WskFreeAddressInfo, 0x28);
OPENND_ASSERT_OFFSET(WSK_PROVIDER_DISPATCH, WskGetNameInfo, 0x30);

#endif
