/* SPDX-License-Identifier: MIT
 *
 * ndkstatus.h: what NDKPI returns. A function that fails returns an error (0xC...), so that
 * NT_ERROR and !NT_SUCCESS agree; callbacks and results may say STATUS_BUFFER_OVERFLOW as well (NDK-GEN-06). ND_... of
 * ndstatus.h are the same values under other names.
 */
#ifndef OPENND_NDKSTATUS_H
#define OPENND_NDKSTATUS_H

#include "ndtypes.h"

#ifndef NT_INFORMATION
#define NT_INFORMATION(status) (((ULONG)(status) >> 30) == 1)
#define NT_WARNING(status)     (((ULONG)(status) >> 30) == 2)
#define NT_ERROR(status)       (((ULONG)(status) >> 30) == 3)
#endif

/* Each may have been defined by a Windows-named header before. */
#ifndef STATUS_SUCCESS
#define STATUS_SUCCESS ((NTSTATUS)0x00000000u) /* done; of a posted request: accepted */
#endif
#ifndef STATUS_PENDING
#define STATUS_PENDING ((NTSTATUS)0x00000103u) /* in progress: a callback follows */
#endif
#ifndef STATUS_TIMEOUT
#define STATUS_TIMEOUT ((NTSTATUS)0x00000102u) /* a wait of the consumer ended so; no function of NDKPI says it */
#endif
#ifndef STATUS_BUFFER_OVERFLOW
#define STATUS_BUFFER_OVERFLOW ((NTSTATUS)0x80000005u) /* a receive was too short; a completion queue overran */
#endif
#ifndef STATUS_UNSUCCESSFUL
#define STATUS_UNSUCCESSFUL ((NTSTATUS)0xC0000001u) /* failed for a reason without a name */
#endif
#ifndef STATUS_ACCESS_VIOLATION
#define STATUS_ACCESS_VIOLATION ((NTSTATUS)0xC0000005u) /* memory, window or token refuses it, here or at the peer */
#endif
#ifndef STATUS_INVALID_PARAMETER
#define STATUS_INVALID_PARAMETER ((NTSTATUS)0xC000000Du) /* bad argument */
#endif
#ifndef STATUS_INVALID_DEVICE_REQUEST
#define STATUS_INVALID_DEVICE_REQUEST ((NTSTATUS)0xC0000010u) /* not for an object of this kind, or in this state */
#endif
#ifndef STATUS_BUFFER_TOO_SMALL
#define STATUS_BUFFER_TOO_SMALL ((NTSTATUS)0xC0000023u) /* the size that is needed was stored */
#endif
#ifndef STATUS_INVALID_PARAMETER_MIX
#define STATUS_INVALID_PARAMETER_MIX ((NTSTATUS)0xC0000030u) /* arguments do not belong together */
#endif
#ifndef STATUS_DATA_OVERRUN
#define STATUS_DATA_OVERRUN ((NTSTATUS)0xC000003Cu) /* too many SGEs or bytes */
#endif
#ifndef STATUS_SHARING_VIOLATION
#define STATUS_SHARING_VIOLATION ((NTSTATUS)0xC0000043u) /* the local address is taken */
#endif
#ifndef STATUS_INSUFFICIENT_RESOURCES
#define STATUS_INSUFFICIENT_RESOURCES ((NTSTATUS)0xC000009Au) /* out of memory; a queue is full */
#endif
#ifndef STATUS_DEVICE_NOT_READY
#define STATUS_DEVICE_NOT_READY ((NTSTATUS)0xC00000A3u) /* OpenND cannot start */
#endif
#ifndef STATUS_IO_TIMEOUT
#define STATUS_IO_TIMEOUT ((NTSTATUS)0xC00000B5u) /* the peer does not answer */
#endif
#ifndef STATUS_NOT_SUPPORTED
#define STATUS_NOT_SUPPORTED ((NTSTATUS)0xC00000BBu) /* optional feature that the adapter does not have */
#endif
#ifndef STATUS_INTERNAL_ERROR
#define STATUS_INTERNAL_ERROR ((NTSTATUS)0xC00000E5u) /* fault of the provider or of the hardware */
#endif
#ifndef STATUS_CANCELLED
#define STATUS_CANCELLED ((NTSTATUS)0xC0000120u) /* flushed, or given up by a close */
#endif
#ifndef STATUS_REMOTE_RESOURCES
#define STATUS_REMOTE_RESOURCES ((NTSTATUS)0xC000013Du) /* the request caused an error at the peer */
#endif
#ifndef STATUS_INVALID_ADDRESS
#define STATUS_INVALID_ADDRESS ((NTSTATUS)0xC0000141u) /* not an address of this adapter */
#endif
#ifndef STATUS_INVALID_DEVICE_STATE
#define STATUS_INVALID_DEVICE_STATE ((NTSTATUS)0xC0000184u) /* the object is not in a state that allows it */
#endif
#ifndef STATUS_INVALID_BUFFER_SIZE
#define STATUS_INVALID_BUFFER_SIZE ((NTSTATUS)0xC0000206u) /* private data too long */
#endif
#ifndef STATUS_TOO_MANY_ADDRESSES
#define STATUS_TOO_MANY_ADDRESSES ((NTSTATUS)0xC0000209u) /* no ephemeral port left */
#endif
#ifndef STATUS_ADDRESS_ALREADY_EXISTS
#define STATUS_ADDRESS_ALREADY_EXISTS ((NTSTATUS)0xC000020Au) /* these addresses and ports are connected already */
#endif
#ifndef STATUS_CONNECTION_DISCONNECTED
#define STATUS_CONNECTION_DISCONNECTED ((NTSTATUS)0xC000020Cu) /* for consumers */
#endif
#ifndef STATUS_CONNECTION_REFUSED
#define STATUS_CONNECTION_REFUSED ((NTSTATUS)0xC0000236u) /* no listener, it is paused or full, or rejected */
#endif
#ifndef STATUS_CONNECTION_INVALID
#define STATUS_CONNECTION_INVALID ((NTSTATUS)0xC000023Au) /* not connected, or not in that stage of connecting */
#endif
#ifndef STATUS_CONNECTION_ACTIVE
#define STATUS_CONNECTION_ACTIVE ((NTSTATUS)0xC000023Bu) /* connector or queue pair is in use already */
#endif
#ifndef STATUS_NETWORK_UNREACHABLE
#define STATUS_NETWORK_UNREACHABLE ((NTSTATUS)0xC000023Cu) /* no route to the address */
#endif
#ifndef STATUS_HOST_UNREACHABLE
#define STATUS_HOST_UNREACHABLE ((NTSTATUS)0xC000023Du) /* the host does not answer */
#endif
#ifndef STATUS_CONNECTION_ABORTED
#define STATUS_CONNECTION_ABORTED ((NTSTATUS)0xC0000241u) /* the peer gave up while connecting */
#endif
#ifndef STATUS_DEVICE_REMOVED
#define STATUS_DEVICE_REMOVED ((NTSTATUS)0xC00002B6u) /* the adapter is gone */
#endif
#ifndef STATUS_NOINTERFACE
#define STATUS_NOINTERFACE ((NTSTATUS)0xC00002B9u) /* no such version of the interface */
#endif
#ifndef STATUS_IMPLEMENTATION_LIMIT
#define STATUS_IMPLEMENTATION_LIMIT ((NTSTATUS)0xC000042Bu) /* more pages than a fast registration can have */
#endif
#ifndef NDIS_STATUS_BAD_VERSION
#define NDIS_STATUS_BAD_VERSION ((NTSTATUS)0xC0010004u) /* an adapter of that version cannot be opened */
#endif
#ifndef NDIS_STATUS_ADAPTER_NOT_FOUND
#define NDIS_STATUS_ADAPTER_NOT_FOUND ((NTSTATUS)0xC0010006u) /* no such interface */
#endif
#ifndef NDIS_STATUS_ADAPTER_NOT_READY
#define NDIS_STATUS_ADAPTER_NOT_READY ((NTSTATUS)0xC0010011u) /* NDK is disabled there, or the interface is down */
#endif
#ifndef NDIS_STATUS_RESOURCES
#define NDIS_STATUS_RESOURCES ((NTSTATUS)0xC000009Au) /* as STATUS_INSUFFICIENT_RESOURCES */
#endif

#endif
