/* SPDX-License-Identifier: MIT
 *
 * ndstatus.h: what Network Direct calls return. Every value equals an NTSTATUS. Test with FAILED:
 * warnings and errors fail, ND_PENDING and ND_TIMEOUT succeed. opennd_status_name gives the name of a value.
 */
#ifndef _NDSTATUS_
#define _NDSTATUS_

#include "ndtypes.h"

/* ---- severity: success ------------------------------------------------------------------------------------------- */

#define ND_SUCCESS ((HRESULT)0x00000000u) /* done; of a posted request: accepted */
#define ND_TIMEOUT ((HRESULT)0x00000102u) /* succeeds! version 1 only; version 2 gives ND_IO_TIMEOUT */
#define ND_PENDING ((HRESULT)0x00000103u) /* succeeds! in progress, completes through the OVERLAPPED */

/* ---- severity: warning (FAILED is true) -------------------------------------------------------------------------- */

#define ND_BUFFER_OVERFLOW ((HRESULT)0x80000005u) /* output buffer too small; too many bytes; queue overrun */
#define ND_DEVICE_BUSY     ((HRESULT)0x80000011u) /* the region still has windows bound to it */
#define ND_NO_MORE_ENTRIES ((HRESULT)0x8000001Au) /* the queue is full: depth requests are outstanding */

/* ---- severity: error --------------------------------------------------------------------------------------------- */

#define ND_UNSUCCESSFUL           ((HRESULT)0xC0000001u) /* failed for a reason without a name */
#define ND_ACCESS_VIOLATION       ((HRESULT)0xC0000005u) /* memory, window or token refuses it, here or at the peer */
#define ND_INVALID_HANDLE         ((HRESULT)0xC0000008u) /* not a handle of the kind asked for */
#define ND_INVALID_DEVICE_REQUEST ((HRESULT)0xC0000010u) /* malformed: Invalidate of an unbound window */
#define ND_INVALID_PARAMETER      ((HRESULT)0xC000000Du) /* bad argument without a number of its own */
#define ND_NO_MEMORY              ((HRESULT)0xC0000017u) /* out of memory */
#define ND_INVALID_PARAMETER_MIX  ((HRESULT)0xC0000030u) /* arguments do not belong together */
#define ND_DATA_OVERRUN           ((HRESULT)0xC000003Cu) /* too many SGEs; as a result: receive too small */
#define ND_SHARING_VIOLATION      ((HRESULT)0xC0000043u) /* another listener has the address */
#define ND_INSUFFICIENT_RESOURCES ((HRESULT)0xC000009Au) /* out of some resource other than memory */
#define ND_DEVICE_NOT_READY       ((HRESULT)0xC00000A3u) /* NdStartup has not been called */
#define ND_IO_TIMEOUT             ((HRESULT)0xC00000B5u) /* the peer does not answer, or has posted no receive */
#define ND_NOT_SUPPORTED          ((HRESULT)0xC00000BBu) /* optional feature that the adapter does not have */
#define ND_INTERNAL_ERROR         ((HRESULT)0xC00000E5u) /* fault of the provider or of the hardware */
#define ND_INVALID_PARAMETER_1    ((HRESULT)0xC00000EFu) /* argument 1, not counting the object, is bad */
#define ND_INVALID_PARAMETER_2    ((HRESULT)0xC00000F0u)
#define ND_INVALID_PARAMETER_3    ((HRESULT)0xC00000F1u)
#define ND_INVALID_PARAMETER_4    ((HRESULT)0xC00000F2u)
#define ND_INVALID_PARAMETER_5    ((HRESULT)0xC00000F3u)
#define ND_INVALID_PARAMETER_6    ((HRESULT)0xC00000F4u)
#define ND_INVALID_PARAMETER_7    ((HRESULT)0xC00000F5u)
#define ND_INVALID_PARAMETER_8    ((HRESULT)0xC00000F6u)
#define ND_INVALID_PARAMETER_9    ((HRESULT)0xC00000F7u)
#define ND_INVALID_PARAMETER_10   ((HRESULT)0xC00000F8u)
#define ND_CANCELED               ((HRESULT)0xC0000120u) /* cancelled or flushed (STATUS_CANCELLED has two L) */
#define ND_REMOTE_ERROR           ((HRESULT)0xC000013Du) /* the request caused an error at the peer */
#define ND_INVALID_ADDRESS        ((HRESULT)0xC0000141u) /* malformed address, or one that no adapter serves */
#define ND_INVALID_DEVICE_STATE   ((HRESULT)0xC0000184u) /* the object is not in a state that allows it */
#define ND_INVALID_BUFFER_SIZE    ((HRESULT)0xC0000206u) /* private data too long; registration of no bytes */
#define ND_TOO_MANY_ADDRESSES     ((HRESULT)0xC0000209u) /* no ephemeral port left */
#define ND_ADDRESS_ALREADY_EXISTS ((HRESULT)0xC000020Au) /* these addresses and ports are connected already */
#define ND_CONNECTION_REFUSED     ((HRESULT)0xC0000236u) /* no listener, its backlog is full, or rejected */
#define ND_CONNECTION_INVALID     ((HRESULT)0xC000023Au) /* not connected, or not in that stage of connecting */
#define ND_CONNECTION_ACTIVE      ((HRESULT)0xC000023Bu) /* connector or queue pair is in use already */
#define ND_NETWORK_UNREACHABLE    ((HRESULT)0xC000023Cu) /* no route to the address */
#define ND_HOST_UNREACHABLE       ((HRESULT)0xC000023Du) /* the host does not answer */
#define ND_CONNECTION_ABORTED     ((HRESULT)0xC0000241u) /* the peer gave up while connecting */
#define ND_DEVICE_REMOVED         ((HRESULT)0xC00002B6u) /* the adapter is gone */

/* ---- NTSTATUS values that programs compare with, or that OpenND returns ------------------------------------------ */

#ifndef STATUS_TIMEOUT
#define STATUS_TIMEOUT ((NTSTATUS)0x00000102u) /* ND_TIMEOUT */
#endif
#ifndef STATUS_PENDING
#define STATUS_PENDING ((NTSTATUS)0x00000103u) /* ND_PENDING */
#endif
#ifndef STATUS_BUFFER_TOO_SMALL
#define STATUS_BUFFER_TOO_SMALL ((NTSTATUS)0xC0000023u) /* other providers: short address buffer */
#endif
#ifndef STATUS_DATA_ERROR
#define STATUS_DATA_ERROR ((NTSTATUS)0xC000003Eu) /* Send: too small or invalid a receive at the peer */
#endif
#ifndef STATUS_BAD_NETWORK_NAME
#define STATUS_BAD_NETWORK_NAME ((NTSTATUS)0xC00000CCu) /* Connect to the unspecified address */
#endif
#ifndef STATUS_CONNECTION_DISCONNECTED
#define STATUS_CONNECTION_DISCONNECTED ((NTSTATUS)0xC000020Cu) /* NotifyDisconnect ended by Disconnect */
#endif
#ifndef STATUS_ADDRESS_ALREADY_ASSOCIATED
#define STATUS_ADDRESS_ALREADY_ASSOCIATED ((NTSTATUS)0xC0000238u) /* Bind of an object that is bound */
#endif
#ifndef STATUS_ADDRESS_NOT_ASSOCIATED
#define STATUS_ADDRESS_NOT_ASSOCIATED ((NTSTATUS)0xC0000239u) /* Connect or Listen before Bind */
#endif
#ifndef STATUS_REQUEST_ABORTED
#define STATUS_REQUEST_ABORTED ((NTSTATUS)0xC0000240u) /* other providers: the peer gave up */
#endif

#endif
