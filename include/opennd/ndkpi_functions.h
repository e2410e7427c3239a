/* SPDX-License-Identifier: MIT
 *
 * ndkpi_functions.h: the callbacks of an NDK consumer and the functions of the provider, each with its statuses.
 * Included by ndkpi.h, which says what all have in common; a pointer that may be NULL is an optional callback, context
 * or list.
 */
#ifndef OPENND_NDKPI_FUNCTIONS_H
#define OPENND_NDKPI_FUNCTIONS_H

#include "ndkpi_types.h"

/* CONST is Windows': CONST PVOID is a constant pointer, and to a function's type the same as PVOID. */
#ifndef CONST
#define CONST const
#endif

/* ---- callbacks of the consumer ----------------------------------------------------------------------------------- */

/* On threads of OpenND, with none of its locks held. They must not wait, for they hold up the others of this adapter;
 * they may call every function but the closing of the adapter. (NDK-GEN-20 to -26) */

/* A create that returned STATUS_PENDING is done. pNdkObject is the new object, or NULL on failure. (NDK-GEN-01, -02) */
typedef VOID (*NDK_FN_CREATE_COMPLETION)(PVOID Context, NTSTATUS Status, NDK_OBJECT_HEADER* pNdkObject);

/* A request that returned STATUS_PENDING is done, with Status. (NDK-GEN-01) */
typedef VOID (*NDK_FN_REQUEST_COMPLETION)(PVOID Context, NTSTATUS Status);

/* A close that returned STATUS_PENDING is done: no callback of the object follows. (NDK-GEN-03, -10, -11) */
typedef VOID (*NDK_FN_CLOSE_COMPLETION)(PVOID Context);

/* An armed completion queue has a matching result (STATUS_SUCCESS), or has failed: STATUS_BUFFER_OVERFLOW: too many
 * results; STATUS_INTERNAL_ERROR. Never two at a time for one queue. (NDK-CQ-ARM-01 to -09, NDK-CQ-ERR-01 to -03) */
typedef VOID (*NDK_FN_CQ_NOTIFICATION_CALLBACK)(PVOID CqNotificationContext, NTSTATUS CqStatus);

/* Fewer receives than the threshold are left (STATUS_SUCCESS), or the queue has failed (STATUS_INTERNAL_ERROR).
 * (NDK-SRQ-01 to -04, -09) */
typedef VOID (*NDK_FN_SRQ_NOTIFICATION_CALLBACK)(PVOID SrqNotificationContext, NTSTATUS SrqStatus);

/* A peer asks for a connection. The connector belongs to the consumer: it accepts, rejects or closes it, now or
 * later. (NDK-LIS-02, -03, NDK-CON-ACC-01) */
typedef VOID (*NDK_FN_CONNECT_EVENT_CALLBACK)(PVOID ConnectEventContext, NDK_CONNECTOR* pNdkConnector);

/* The peer ends the connection, or it was lost. At most once for a connection, and not for an end by the consumer
 * itself. Flushes nothing. (NDK-CON-EVT-01 to -03) */
typedef VOID (*NDK_FN_DISCONNECT_EVENT_CALLBACK)(PVOID DisconnectEventContext);

/* The same, with a reason: bits 31 to 24 the transport, below 1: the peer asked to end; 2: it closed without asking;
 * 3: lost; 4: an error of this queue pair; 5: the peer reports an error; 6: the adapter is gone. 0: none known. The software
 * transports tell 3 for 4 and 5, too; a failed result's ProviderErrorCode says more.
 * (NDK-CON-EVT-04) */
typedef VOID (*NDK_FN_DISCONNECT_EVENT_CALLBACK_EX)(PVOID DisconnectEventContext, ULONG ProviderDisconnectReason);

/* ---- the adapter ------------------------------------------------------------------------------------------------- */

/* Lets an object go. Its pending requests are canceled; it ends when everything that was made from it has. The object
 * is not to be used after the call. STATUS_SUCCESS: it has ended; STATUS_PENDING: CloseCompletion will say so. Never
 * fails. (NDK-GEN-03, -09 to -11) */
typedef NTSTATUS (*NDK_FN_CLOSE_OBJECT)(NDK_OBJECT_HEADER* pNdkObject, NDK_FN_CLOSE_COMPLETION CloseCompletion,
                                        PVOID RequestContext);

/* Asks an object for an interface that this header does not have. STATUS_SUCCESS: pExtensionInterface->Dispatch is a
 * table, good as long as the object; STATUS_NOT_SUPPORTED: no such interface, and nothing was written. (NDK-EXT-01,
 * -02) */
typedef NTSTATUS (*NDK_FN_QUERY_EXTENSION_INTERFACE)(NDK_OBJECT_HEADER* pNdkObject, GUID* ExtensionInterfaceID,
                                                     NDK_VERSION ExtensionInterfaceVersion,
                                                     NDK_EXTENSION_INTERFACE* pExtensionInterface);

/* Fills *pInfo; *pBufferSize, in: its room, out: the length filled or needed, in bytes. May block.
 * STATUS_SUCCESS; STATUS_BUFFER_TOO_SMALL: less than 0x60 bytes, or pInfo is NULL; STATUS_INVALID_PARAMETER.
 * (NDK-ADP-INFO-01) */
typedef NTSTATUS (*NDK_FN_QUERY_ADAPTER_INFO)(NDK_ADAPTER* pNdkAdapter, NDK_ADAPTER_INFO* pInfo, ULONG* pBufferSize);

/* The type alone: no table has it. */
typedef NTSTATUS (*NDK_FN_QUERY_ADAPTER_INFO_EX)(NDK_ADAPTER* pNdkAdapter, NDK_VERSION Version, NDK_ADAPTER_INFO* pInfo,
                                                 ULONG* pBufferSize);

/* Makes a completion queue with room for CqDepth results. CqNotification runs once for each NdkArmCq; NULL: the queue
 * is only polled. Affinity is a hint.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_INVALID_PARAMETER: CqDepth is 0 or above MaxCqDepth; STATUS_INSUFFICIENT_RESOURCES.
 * (NDK-CQ-CREATE-01 to -04) */
typedef NTSTATUS (*NDK_FN_CREATE_CQ)(NDK_ADAPTER* pNdkAdapter, ULONG CqDepth,
                                     NDK_FN_CQ_NOTIFICATION_CALLBACK CqNotification, PVOID CqNotificationContext,
                                     GROUP_AFFINITY* Affinity, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                     PVOID RequestContext, NDK_CQ** ppNdkCq);

/* Makes a protection domain, to which memory and queue pairs belong.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_INSUFFICIENT_RESOURCES. (NDK-PD-01) */
typedef NTSTATUS (*NDK_FN_CREATE_PD)(NDK_ADAPTER* pNdkAdapter, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                     PVOID RequestContext, NDK_PD** ppNdkPd);

/* Takes a local address and port for several connections to different peers; port 0: any.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_SHARING_VIOLATION: taken; STATUS_TOO_MANY_ADDRESSES: no port left; STATUS_INVALID_ADDRESS:
 * not an address of this adapter; STATUS_INVALID_PARAMETER; STATUS_INSUFFICIENT_RESOURCES. (NDK-SEP-01 to -05) */
typedef NTSTATUS (*NDK_FN_CREATE_SHARED_ENDPOINT)(NDK_ADAPTER* pNdkAdapter, CONST PSOCKADDR pAddress,
                                                  ULONG AddressLength, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                                  PVOID RequestContext, NDK_SHARED_ENDPOINT** ppNdkSharedEndpoint);

/* Makes a connector for one outgoing connection; it has no address yet.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_INSUFFICIENT_RESOURCES. (NDK-ADP-CREATE-01, -02) */
typedef NTSTATUS (*NDK_FN_CREATE_CONNECTOR)(NDK_ADAPTER* pNdkAdapter, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                            PVOID RequestContext, NDK_CONNECTOR** ppNdkConnector);

/* Makes a listener, which listens from NdkListen on; ConnectEvent runs for each request.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_INVALID_PARAMETER: no ConnectEvent; STATUS_INSUFFICIENT_RESOURCES. (NDK-ADP-CREATE-01 to -03) */
typedef NTSTATUS (*NDK_FN_CREATE_LISTENER)(NDK_ADAPTER* pNdkAdapter, NDK_FN_CONNECT_EVENT_CALLBACK ConnectEvent,
                                           PVOID ConnectEventContext, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                           PVOID RequestContext, NDK_LISTENER** ppNdkListener);

/* Gives the first Length bytes of a chain of MDLs addresses that SGEs and NdkFastRegister take, one for each page of
 * 4096 bytes. *pLAMSize, in: room at pNdkLAM, out: bytes filled or needed, 0x10 and 8 for each page. *pFBO is where in
 * the first page the bytes begin. Always at once. The memory stays allocated until NdkReleaseLAM; the MDLs need not.
 * STATUS_SUCCESS; STATUS_BUFFER_TOO_SMALL; STATUS_INVALID_PARAMETER: also a chain that is not contiguous in virtual
 * memory. (NDK-LAM-01 to -08) */
typedef NTSTATUS (*NDK_FN_BUILD_LAM)(NDK_ADAPTER* pNdkAdapter, MDL* Mdl, SIZE_T Length,
                                     NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext,
                                     NDK_LOGICAL_ADDRESS_MAPPING* pNdkLAM, ULONG* pLAMSize, ULONG* pFBO);

/* Ends a mapping, once, after all requests that use it. (NDK-LAM-09, -10) */
typedef VOID (*NDK_FN_RELEASE_LAM)(NDK_ADAPTER* pNdkAdapter, NDK_LOGICAL_ADDRESS_MAPPING* pNdkLAM);

/* ---- protection domain ------------------------------------------------------------------------------------------- */

/* Makes a memory region: FastRegister FALSE for NdkRegisterMr, TRUE for NdkInitializeFastRegisterMr and
 * NdkFastRegister, for good.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_INSUFFICIENT_RESOURCES. */
typedef NTSTATUS (*NDK_FN_CREATE_MR)(NDK_PD* pNdkPd, BOOLEAN FastRegister, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                     PVOID RequestContext, NDK_MR** ppNdkMr);

/* Makes a memory window, unbound.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_NOT_SUPPORTED: MaxWindowSize is 0; STATUS_INSUFFICIENT_RESOURCES. (NDK-MW-01) */
typedef NTSTATUS (*NDK_FN_CREATE_MW)(NDK_PD* pNdkPd, NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext,
                                     NDK_MW** ppNdkMw);

/* Makes a queue of receives for several queue pairs. NotifyThreshold above 0 arms SrqNotification.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_NOT_SUPPORTED: MaxSrqDepth is 0; STATUS_INVALID_PARAMETER: depth 0 or too large, too many
 * SGEs, threshold above depth; STATUS_INSUFFICIENT_RESOURCES. (NDK-SRQ-01 to -09) */
typedef NTSTATUS (*NDK_FN_CREATE_SRQ)(NDK_PD* pNdkPd, ULONG SrqDepth, ULONG MaxReceiveRequestSge, ULONG NotifyThreshold,
                                      NDK_FN_SRQ_NOTIFICATION_CALLBACK SrqNotification, PVOID SrqNotificationContext,
                                      GROUP_AFFINITY* Affinity, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                      PVOID RequestContext, NDK_SRQ** ppNdkSrq);

/* Makes a queue pair for one connection. Depths are requests outstanding, SGEs are per request, InlineDataSize is
 * bytes of a request; 0 is allowed. QPContext comes back in every result.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_INVALID_PARAMETER: above a limit of the adapter, or a queue of another device;
 * STATUS_INSUFFICIENT_RESOURCES. (NDK-QP-CREATE-01 to -07) */
typedef NTSTATUS (*NDK_FN_CREATE_QP)(NDK_PD* pNdkPd, NDK_CQ* pReceiveCq, NDK_CQ* pInitiatorCq, PVOID QPContext,
                                     ULONG ReceiveQueueDepth, ULONG InitiatorQueueDepth, ULONG MaxReceiveRequestSge,
                                     ULONG MaxInitiatorRequestSge, ULONG InlineDataSize,
                                     NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext, NDK_QP** ppNdkQp);

/* Creates a queue pair with receives from pSrq. (NDK-QP-CREATE-03, -06) */
typedef NTSTATUS (*NDK_FN_CREATE_QP_WITH_SRQ)(NDK_PD* pNdkPd, NDK_CQ* pReceiveCq, NDK_CQ* pInitiatorCq, NDK_SRQ* pSrq,
                                              PVOID QPContext, ULONG InitiatorQueueDepth, ULONG MaxInitiatorRequestSge,
                                              ULONG InlineDataSize, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                              PVOID RequestContext, NDK_QP** ppNdkQp);

/* Stores the token for SGEs that hold addresses of a mapping (NdkBuildLAM): local reading and writing, never a peer's.
 * (NDK-PD-02 to -05) */
typedef VOID (*NDK_FN_GET_PRIVILEGED_MEMORY_REGION_TOKEN)(NDK_PD* pNdkPd, UINT32* pToken);

/* ---- completion queue -------------------------------------------------------------------------------------------- */

/* Changes the room; no result is lost.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_INVALID_PARAMETER: 0, above MaxCqDepth, or fewer than are queued; STATUS_NOT_SUPPORTED;
 * STATUS_INVALID_DEVICE_STATE: the queue has failed; STATUS_INSUFFICIENT_RESOURCES. (NDK-CQ-RSZ-01) */
typedef NTSTATUS (*NDK_FN_RESIZE_CQ)(NDK_CQ* pNdkCq, ULONG CqDepth, NDK_FN_REQUEST_COMPLETION RequestCompletion,
                                     PVOID RequestContext);

/* Asks for one call of the notification callback: Type is NDK_CQ_NOTIFY_..., the widest of those asked for counts.
 * Fires at once for a result that came after the last callback was due and was not taken. (NDK-CQ-ARM-01 to -09) */
typedef VOID (*NDK_FN_ARM_CQ)(NDK_CQ* pNdkCq, ULONG Type);

/* Takes the oldest results, at most nResults, and returns how many; 0: none. One thread at a time for one queue.
 * (NDK-CQ-POLL-01 to -08) */
typedef ULONG (*NDK_FN_GET_CQ_RESULTS)(NDK_CQ* pNdkCq, NDK_RESULT Results[], ULONG nResults);

/* Takes results out of the same queue, with the kind of request, the provider's code and the token that the peer invalidated.
 * (NDK-CQ-POLL-02, -05, -06) */
typedef ULONG (*NDK_FN_GET_CQ_RESULTS_EX)(NDK_CQ* pNdkCq, NDK_RESULT_EX Results[], ULONG nResults);

/* Delays callbacks until ModerationCount results have gathered or ModerationInterval microseconds have passed;
 * 0xFFFFFFFF: no such limit; interval 0, or count 0 or 1: no delay. Results can be taken at once all the same.
 * STATUS_SUCCESS; STATUS_INVALID_PARAMETER_MIX: no limit at all; STATUS_NOT_SUPPORTED; STATUS_INSUFFICIENT_RESOURCES.
 * (NDK-CQ-MOD-01 to -04) */
typedef NTSTATUS (*NDK_FN_CONTROL_CQ_INTERRUPT_MODERATION)(NDK_CQ* pNdkCq, ULONG ModerationInterval,
                                                           ULONG ModerationCount);

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Registers the first Length bytes of a chain of MDLs, with NDK_MR_FLAG_... rights. SGEs and peers name bytes by the
 * virtual address of the first MDL.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_INVALID_DEVICE_REQUEST: made for fast registration; STATUS_INVALID_DEVICE_STATE: registered;
 * STATUS_INVALID_PARAMETER; STATUS_INSUFFICIENT_RESOURCES. (NDK-MR-REG-01 to -04, -06) */
typedef NTSTATUS (*NDK_FN_REGISTER_MR)(NDK_MR* pNdkMr, MDL* Mdl, SIZE_T Length, ULONG Flags,
                                       NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/* Takes the registration back: afterwards neither this side nor a peer uses the memory by its tokens.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_INVALID_DEVICE_REQUEST: not registered; STATUS_INVALID_DEVICE_STATE: a window is bound to it.
 * (NDK-MR-REG-05, -07) */
typedef NTSTATUS (*NDK_FN_DEREGISTER_MR)(NDK_MR* pNdkMr, NDK_FN_REQUEST_COMPLETION RequestCompletion,
                                         PVOID RequestContext);

/* Prepares a region for NdkFastRegister with up to AdapterPageCount pages, open to peers if RemoteAccess. Its tokens
 * are known from now on, and stay.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_INVALID_DEVICE_REQUEST: made for NdkRegisterMr; STATUS_INVALID_PARAMETER: no pages;
 * STATUS_IMPLEMENTATION_LIMIT: too many; STATUS_INVALID_DEVICE_STATE: registered; STATUS_INSUFFICIENT_RESOURCES.
 * (NDK-MR-FRMR-01 to -05) */
typedef NTSTATUS (*NDK_FN_INITIALIZE_FAST_REGISTER_MR)(NDK_MR* pNdkMr, ULONG AdapterPageCount, BOOLEAN RemoteAccess,
                                                       NDK_FN_REQUEST_COMPLETION RequestCompletion,
                                                       PVOID RequestContext);

/* The token for peers, in host order; 0 before the first registration or initialisation. (NDK-MR-TOK-01 to -03) */
typedef UINT32 (*NDK_FN_GET_REMOTE_TOKEN_FROM_MR)(NDK_MR* pNdkMr);

/* The token for SGEs, likewise. (NDK-MR-TOK-01) */
typedef UINT32 (*NDK_FN_GET_LOCAL_TOKEN_FROM_MR)(NDK_MR* pNdkMr);

/* The token for peers: a new one with each NdkBind; 0 before the first. (NDK-MW-02, -03) */
typedef UINT32 (*NDK_FN_GET_REMOTE_TOKEN_FROM_MW)(NDK_MW* pNdkMw);

/* ---- shared receive queue ---------------------------------------------------------------------------------------- */

/* Changes depth and threshold; 0 leaves either as it is. A threshold arms the callback anew, which runs at once if
 * fewer receives are left.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_INVALID_PARAMETER: too deep, fewer than are queued, threshold above depth;
 * STATUS_INSUFFICIENT_RESOURCES. (NDK-SRQ-01) */
typedef NTSTATUS (*NDK_FN_MODIFY_SRQ)(NDK_SRQ* pNdkSrq, ULONG SrqDepth, ULONG NotifyThreshold,
                                      NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/* Posts buffers for one message to any queue pair of the shared queue.
 * STATUS_SUCCESS; STATUS_INSUFFICIENT_RESOURCES: full; STATUS_DATA_OVERRUN: too many SGEs; STATUS_INVALID_PARAMETER.
 * (NDK-SRQ-05 to -08) */
typedef NTSTATUS (*NDK_FN_SRQ_RECEIVE)(NDK_SRQ* pNdkSrq, PVOID RequestContext, const NDK_SGE* pSgl, ULONG nSge);

/* ---- queue pair: work requests ----------------------------------------------------------------------------------- */

/* Every posting function copies its lists in the call. STATUS_SUCCESS: accepted, and one result follows, unless it is
 * silent and succeeds. Otherwise nothing was posted: STATUS_CONNECTION_INVALID: not connected (not for receives);
 * STATUS_INSUFFICIENT_RESOURCES: the queue is full; STATUS_DATA_OVERRUN: too many SGEs or bytes;
 * STATUS_INVALID_PARAMETER: pSgl is NULL but not empty, or a flag that the request does not have. The consumer posts
 * from one thread at a time to each of the two queues. (NDK-QP-POST-01 to -11)
 * Result:
 * STATUS_SUCCESS; STATUS_CANCELLED: flushed; STATUS_ACCESS_VIOLATION: a token does not grant it, here or at the peer;
 * STATUS_REMOTE_RESOURCES: the peer's receive is too short, or a range is outside its region; STATUS_BUFFER_OVERFLOW:
 * of that receive; STATUS_IO_TIMEOUT: the peer does not answer; STATUS_INTERNAL_ERROR. The first failure ends the
 * connection. (NDK-QP-COMP-01 to -05) */

/* Completes all outstanding requests with STATUS_CANCELLED, a little later. A connection ends by it. (NDK-QP-FLUSH-01
 * to -03) */
typedef VOID (*NDK_FN_FLUSH)(NDK_QP* pNdkQp);

/* Sends a message, which uses one receive of the peer. Flags: SILENT_SUCCESS, READ_FENCE, SEND_AND_SOLICIT_EVENT,
 * INLINE, DEFER. (NDK-QP-SEND-01 to -05) */
typedef NTSTATUS (*NDK_FN_SEND)(NDK_QP* pNdkQp, PVOID RequestContext, const NDK_SGE* pSgl, ULONG nSge, ULONG Flags);

/* Send, which also takes away the access by RemoteToken, one of the peer's, before its receive completes. Flags as
 * NdkSend. (NDK-QP-SINV-01 to -05) */
typedef NTSTATUS (*NDK_FN_SEND_AND_INVALIDATE)(NDK_QP* pNdkQp, PVOID RequestContext, const NDK_SGE* pSgl, ULONG nSge,
                                               ULONG Flags, UINT32 RemoteToken);

/* Posts buffers for one message, used in the order posted; allowed before there is a connection.
 * Besides: STATUS_INVALID_DEVICE_REQUEST: receives come from a shared queue. (NDK-QP-RECV-01 to -05) */
typedef NTSTATUS (*NDK_FN_RECEIVE)(NDK_QP* pNdkQp, PVOID RequestContext, const NDK_SGE* pSgl, ULONG nSge);

/* Opens Length bytes of a registered region to peers by the window's new token, from its execution on. VirtualAddress
 * counts as in the region. Flags: ALLOW_REMOTE_READ, ALLOW_REMOTE_WRITE, at least one of them, SILENT_SUCCESS,
 * READ_FENCE, DEFER.
 * Besides: STATUS_INVALID_PARAMETER: outside the region, no bytes, region or window not to be used here;
 * STATUS_ACCESS_VIOLATION: the region has no local write. (NDK-QP-BIND-01 to -03, NDK-MW-03 to -05) */
typedef NTSTATUS (*NDK_FN_BIND)(NDK_QP* pNdkQp, PVOID RequestContext, NDK_MR* pMr, NDK_MW* pMw, PVOID VirtualAddress,
                                SIZE_T Length, ULONG Flags);

/* Maps pages into an initialised region: its bytes have addresses from BaseVirtualAddress on, the first at offset FBO
 * in the first page. Usable in requests posted behind it. Flags: ALLOW_LOCAL_WRITE, ALLOW_REMOTE_READ,
 * ALLOW_REMOTE_WRITE, RDMA_READ_SINK, SILENT_SUCCESS, READ_FENCE, DEFER.
 * Besides: STATUS_INVALID_PARAMETER: pages, FBO, Length or base do not fit; STATUS_ACCESS_VIOLATION: rights for peers
 * that the region was not initialised for.
 * Result: also STATUS_INVALID_DEVICE_REQUEST: registered already. (NDK-QP-FREG-01 to -07) */
typedef NTSTATUS (*NDK_FN_FAST_REGISTER)(NDK_QP* pNdkQp, PVOID RequestContext, NDK_MR* pMr, ULONG AdapterPageCount,
                                         const NDK_LOGICAL_ADDRESS* AdapterPageArray, ULONG FBO, SIZE_T Length,
                                         PVOID BaseVirtualAddress, ULONG Flags);

/* Takes back a fast registration or a window: when the result is there, no peer uses it. pNdkMrOrMw is the region's or
 * the window's header. Flags: SILENT_SUCCESS, READ_FENCE, DEFER.
 * Besides: STATUS_INVALID_PARAMETER: neither of the two.
 * Result: also STATUS_INVALID_DEVICE_REQUEST: not registered, not bound. (NDK-QP-INV-01 to -05) */
typedef NTSTATUS (*NDK_FN_INVALIDATE)(NDK_QP* pNdkQp, PVOID RequestContext, NDK_OBJECT_HEADER* pNdkMrOrMw, ULONG Flags);

/* Fetches the peer's memory. More than the outbound read limit wait. Flags: SILENT_SUCCESS, READ_FENCE,
 * RDMA_READ_LOCAL_INVALIDATE (takes back the fast registration of the first SGE), DEFER.
 * Besides: STATUS_INVALID_DEVICE_REQUEST: the limit is 0. (NDK-QP-READ-01 to -06) */
typedef NTSTATUS (*NDK_FN_READ)(NDK_QP* pNdkQp, PVOID RequestContext, const NDK_SGE* pSgl, ULONG nSge,
                                UINT64 RemoteAddress, UINT32 RemoteToken, ULONG Flags);

/* Stores data in the peer's memory. Flags: SILENT_SUCCESS, READ_FENCE, INLINE, DEFER. (NDK-QP-WRITE-01 to -05) */
typedef NTSTATUS (*NDK_FN_WRITE)(NDK_QP* pNdkQp, PVOID RequestContext, const NDK_SGE* pSgl, ULONG nSge,
                                 UINT64 RemoteAddress, UINT32 RemoteToken, ULONG Flags);

/* ---- connector --------------------------------------------------------------------------------------------------- */

/* Asks the listener at pDestAddress for a connection from pSrcAddress (port 0: any). Read limits are Reads in progress
 * at a time. Then comes NdkCompleteConnect, or NdkReject.
 * STATUS_PENDING;
 * STATUS_SUCCESS; and, after which another try is possible: STATUS_CONNECTION_REFUSED, STATUS_NETWORK_UNREACHABLE,
 * STATUS_HOST_UNREACHABLE, STATUS_IO_TIMEOUT: no answer in 15 s; STATUS_SHARING_VIOLATION: the local port is taken;
 * STATUS_INVALID_ADDRESS: not an address of this adapter; STATUS_TOO_MANY_ADDRESSES: no port left;
 * STATUS_ADDRESS_ALREADY_EXISTS: connected already; STATUS_CONNECTION_ACTIVE, STATUS_INVALID_DEVICE_STATE: connector
 * or queue pair is in use, used up; STATUS_INVALID_BUFFER_SIZE: private data above MaxCallerData;
 * STATUS_INVALID_PARAMETER; STATUS_INSUFFICIENT_RESOURCES. (NDK-CON-CONN-01 to -07) */
typedef NTSTATUS (*NDK_FN_CONNECT)(NDK_CONNECTOR* pNdkConnector, NDK_QP* pNdkQp, CONST PSOCKADDR pSrcAddress,
                                   ULONG SrcAddressLength, CONST PSOCKADDR pDestAddress, ULONG DestAddressLength,
                                   ULONG InboundReadLimit, ULONG OutboundReadLimit, CONST PVOID pPrivateData,
                                   ULONG PrivateDataLength, NDK_FN_REQUEST_COMPLETION RequestCompletion,
                                   PVOID RequestContext);

/* Connects from the address of a shared endpoint. (NDK-CON-CONN-07, NDK-SEP-01 to -04) */
typedef NTSTATUS (*NDK_FN_CONNECT_WITH_SHARED_ENDPOINT)(
    NDK_CONNECTOR* pNdkConnector, NDK_QP* pNdkQp, NDK_SHARED_ENDPOINT* pNdkSharedEndpoint, CONST PSOCKADDR pDestAddress,
    ULONG DestAddressLength, ULONG InboundReadLimit, ULONG OutboundReadLimit, CONST PVOID pPrivateData,
    ULONG PrivateDataLength, NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/* Establishes the connection that NdkConnect has prepared, and registers the disconnect event (NULL: none).
 * STATUS_PENDING;
 * STATUS_SUCCESS; STATUS_CONNECTION_INVALID: NdkConnect has not succeeded; STATUS_CONNECTION_ABORTED: the peer gave
 * up; STATUS_IO_TIMEOUT: too late, the connector is used up. (NDK-CON-CC-01, -02) */
typedef NTSTATUS (*NDK_FN_COMPLETE_CONNECT)(NDK_CONNECTOR* pNdkConnector,
                                            NDK_FN_DISCONNECT_EVENT_CALLBACK DisconnectEvent,
                                            PVOID DisconnectEventContext, NDK_FN_REQUEST_COMPLETION RequestCompletion,
                                            PVOID RequestContext);

/* Completes a Connect, with an event that tells a reason. (NDK-CON-EVT-04, -05) */
typedef NTSTATUS (*NDK_FN_COMPLETE_CONNECT_EX)(NDK_CONNECTOR* pNdkConnector,
                                               NDK_FN_DISCONNECT_EVENT_CALLBACK_EX DisconnectEvent,
                                               PVOID DisconnectEventContext,
                                               NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/* Accepts the request that came with this connector, and registers the disconnect event (NULL: none); completes when
 * the peer has called NdkCompleteConnect.
 * STATUS_PENDING;
 * STATUS_SUCCESS; STATUS_CONNECTION_ABORTED: the peer gave up; STATUS_IO_TIMEOUT: it did not complete;
 * STATUS_CONNECTION_INVALID: no request here; STATUS_CONNECTION_ACTIVE, STATUS_INVALID_DEVICE_STATE: the queue pair is
 * in use, used up; STATUS_INVALID_BUFFER_SIZE: private data above MaxCalleeData; STATUS_INVALID_PARAMETER.
 * (NDK-CON-ACC-01 to -04) */
typedef NTSTATUS (*NDK_FN_ACCEPT)(NDK_CONNECTOR* pNdkConnector, NDK_QP* pNdkQp, ULONG InboundReadLimit,
                                  ULONG OutboundReadLimit, CONST PVOID pPrivateData, ULONG PrivateDataLength,
                                  NDK_FN_DISCONNECT_EVENT_CALLBACK DisconnectEvent, PVOID DisconnectEventContext,
                                  NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/* Accepts, with an event that tells a reason. (NDK-CON-EVT-04, -05) */
typedef NTSTATUS (*NDK_FN_ACCEPT_EX)(NDK_CONNECTOR* pNdkConnector, NDK_QP* pNdkQp, ULONG InboundReadLimit,
                                     ULONG OutboundReadLimit, CONST PVOID pPrivateData, ULONG PrivateDataLength,
                                     NDK_FN_DISCONNECT_EVENT_CALLBACK_EX DisconnectEvent, PVOID DisconnectEventContext,
                                     NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/* Refuses a request (passive), or the peer's answer before NdkCompleteConnect (active).
 * STATUS_SUCCESS; STATUS_CONNECTION_ABORTED: the peer is gone; STATUS_CONNECTION_INVALID: nothing to refuse;
 * STATUS_INVALID_BUFFER_SIZE. (NDK-CON-REJ-01 to -03) */
typedef NTSTATUS (*NDK_FN_REJECT)(NDK_CONNECTOR* pNdkConnector, CONST PVOID pPrivateData, ULONG PrivateDataLength);

/* The read limits that both sides can, and the peer's private data. *pPrivateDataLength, in: room, out: the length the
 * peer gave.
 * STATUS_SUCCESS; STATUS_BUFFER_TOO_SMALL: the first bytes were copied; STATUS_INVALID_PARAMETER;
 * STATUS_CONNECTION_INVALID: nothing has come. */
typedef NTSTATUS (*NDK_FN_GET_CONNECTION_DATA)(NDK_CONNECTOR* pNdkConnector, ULONG* pInboundReadLimit,
                                               ULONG* pOutboundReadLimit, PVOID pPrivateData,
                                               ULONG* pPrivateDataLength);

/* The local address and port. *pAddressLength, in: room, out: bytes needed, 16 or 28.
 * STATUS_SUCCESS; STATUS_BUFFER_TOO_SMALL; STATUS_INVALID_PARAMETER. (NDK-SIZE-01 to -03) */
typedef NTSTATUS (*NDK_FN_GET_LOCAL_ADDRESS)(NDK_CONNECTOR* pNdkConnector, PSOCKADDR pAddress, ULONG* pAddressLength);

/* The peer's, likewise. (NDK-SIZE-01 to -03) */
typedef NTSTATUS (*NDK_FN_GET_PEER_ADDRESS)(NDK_CONNECTOR* pNdkConnector, PSOCKADDR pAddress, ULONG* pAddressLength);

/* Asks the peer to end the connection; completes when it does, too, or when the connection is lost, and all transfers
 * have ended; then the queue pair is flushed.
 * STATUS_PENDING; STATUS_IO_TIMEOUT: the peer does not answer in time (OPENND_NDK_DISCONNECT_MS, 5 s), at once or later, and
 * the connection is aborted; STATUS_CONNECTION_INVALID: not connected, or disconnected or aborted already;
 * STATUS_INVALID_DEVICE_REQUEST: a disconnect is pending already.
 * Later: STATUS_SUCCESS: both have asked, or the peer has closed its connector after the notice; STATUS_IO_TIMEOUT;
 * STATUS_CONNECTION_ABORTED: the connection broke while this waited.
 * (NDK-CON-DISC-01 to -05) */
typedef NTSTATUS (*NDK_FN_DISCONNECT)(NDK_CONNECTOR* pNdkConnector, NDK_FN_REQUEST_COMPLETION RequestCompletion,
                                      PVOID RequestContext);

/* The type alone: no table has it. (NDK-CON-DISC-05) */
typedef NTSTATUS (*NDK_FN_DISCONNECT_EX)(NDK_CONNECTOR* pNdkConnector, BOOLEAN Abortive,
                                         NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/* ---- listener and shared endpoint -------------------------------------------------------------------------------- */

/* Begins to listen at an address and port; port 0: any, address 0: all of the adapter's.
 * STATUS_SUCCESS;
 * STATUS_PENDING; STATUS_SHARING_VIOLATION: taken; STATUS_INVALID_ADDRESS: not an address of this adapter;
 * STATUS_TOO_MANY_ADDRESSES: no port left; STATUS_INVALID_DEVICE_STATE: listens already; STATUS_INVALID_PARAMETER;
 * STATUS_INSUFFICIENT_RESOURCES. (NDK-LIS-01, -04, -08) */
typedef NTSTATUS (*NDK_FN_LISTEN)(NDK_LISTENER* pNdkListener, CONST PSOCKADDR pAddress, ULONG AddressLength,
                                  NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

/* The address and port it listens at. As NdkGetLocalAddress; STATUS_INVALID_DEVICE_STATE: it does not listen.
 * (NDK-LIS-09) */
typedef NTSTATUS (*NDK_FN_GET_LISTENER_LOCAL_ADDRESS)(NDK_LISTENER* pNdkListener, PSOCKADDR pAddress,
                                                      ULONG* pAddressLength);

/* Pause TRUE: further requests are refused, as without a listener; FALSE: no longer. (NDK-LIS-05, -06) */
typedef VOID (*NDK_FN_CONTROL_CONNECT_EVENTS)(NDK_LISTENER* pNdkListener, BOOLEAN Pause);

/* The address and port it has taken. As NdkGetLocalAddress. */
typedef NTSTATUS (*NDK_FN_GET_SHARED_ENDPOINT_LOCAL_ADDRESS)(NDK_SHARED_ENDPOINT* pNdkSharedEndpoint,
                                                             PSOCKADDR pAddress, ULONG* pAddressLength);

#endif
