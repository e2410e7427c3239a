/* SPDX-License-Identifier: MIT
 *
 * ndspi_v1.h: the interfaces of Network Direct version 1. Include ndspi.h; read ndspi_v1_types.h for the structures,
 * and ndspi_v2.h for what new programs use.
 *
 * An INDProvider opens an INDAdapter, which creates the rest; a connector creates its one INDEndpoint. Two kinds of
 * work exist:
 *
 *   Requests of an endpoint return ND_SUCCESS when accepted; how they ended is in the ND_RESULT whose address comes out
 *   of INDCompletionQueue::GetResults. Until then the ND_RESULT and the buffers belong to OpenND, the SGE array only
 *   during the call.
 *
 *   Overlapped requests take an OVERLAPPED and return ND_SUCCESS (done; a packet follows nevertheless) or ND_PENDING;
 *   they end as "Overlapped:" below says. Until then the OVERLAPPED belongs to OpenND. (ND1-OV-01 to -14)
 *
 * A call that fails changes nothing, and nothing follows from it (ND1-GEN-03). Not repeated below:
 *
 *   All methods are thread-safe and do not wait for the network. Ports are in network byte order. Objects must come
 *   from the same adapter instance. New references are the caller's, and NULL on failure.
 *   ND_INVALID_PARAMETER_n: argument n is NULL and must not be, is an object of another kind or adapter, or has
 *   undefined flags, counting from 1 (ND1-GEN-06, -08, -09).
 *   "memory": ND_NO_MEMORY or ND_INSUFFICIENT_RESOURCES, out of memory or of another resource.
 *   ND_DEVICE_REMOVED: the adapter is gone; any method that needs it, at once or later (ND1-GEN-12).
 */
#ifndef OPENND_NDSPI_V1_H
#define OPENND_NDSPI_V1_H

#include "ndspi_v1_types.h"

OPENND_BEGIN_INTERFACES
/* The formatter takes STDMETHOD for an expression. */
/* clang-format off */

/* ---- INDOverlapped: the methods of all objects with overlapped requests ------------------------------------------ */

#undef INTERFACE
#define INTERFACE INDOverlapped
DECLARE_INTERFACE_(INDOverlapped, IUnknown) {
    OPENND_SLOTS_IUNKNOWN

    /* Completes every pending request of this object with ND_CANCELED, or with its own status if that came first; none
     * touches its OVERLAPPED after the return. The object stays usable, except that a cancelled CompleteConnect or
     * Accept ends its connector. (ND1-OV-CXL-01 to -11)
     * ND_SUCCESS, also if nothing was pending; ND_UNSUCCESSFUL: the adapter failed to. */
    STDMETHOD(CancelOverlappedRequests)(THIS) PURE;

    /* Gives the status of a request and the bytes it transferred, any number of times; it may be of any object of the
     * adapter. With bWait TRUE it waits until the request is complete. Takes neither packet nor event. (ND1-OV-GOR-01
     * to -08) The request's own status, which may be ND_TIMEOUT; ND_PENDING: in progress, and bWait is FALSE. */
    STDMETHOD(GetOverlappedResult)(THIS_ OVERLAPPED* pOverlapped, SIZE_T* pNumberOfBytesTransferred, BOOL bWait) PURE;
};

#ifdef OPENND_C_INTERFACES
#define OPENND_SLOTS_INDOVERLAPPED             \
    OPENND_SLOTS_IUNKNOWN                      \
    STDMETHOD(CancelOverlappedRequests)(THIS); \
    STDMETHOD(GetOverlappedResult)(THIS_ OVERLAPPED* pOverlapped, SIZE_T* pNumberOfBytesTransferred, BOOL bWait);
#else
#define OPENND_SLOTS_INDOVERLAPPED
#endif

/* ---- INDCompletionQueue: results of requests, from any number of endpoints --------------------------------------- */

/* Too many results for its room make it fail, and every endpoint with it (ND1-CQ-06). */
#undef INTERFACE
#define INTERFACE INDCompletionQueue
DECLARE_INTERFACE_(INDCompletionQueue, INDOverlapped) {
    OPENND_SLOTS_INDOVERLAPPED

    /* Changes the number of results the queue has room for; none is lost. (ND1-CQ-RSZ-01 to -05)
     * ND_SUCCESS; ND_INVALID_PARAMETER: 0, or above MaxCqEntries; ND_BUFFER_OVERFLOW: more are in the queue now;
     * ND_NOT_SUPPORTED: not on this adapter; memory. */
    STDMETHOD(Resize)(THIS_ SIZE_T nEntries) PURE;

    /* Waits for a new result that Type (ND_CQ_NOTIFY_...) asks for; one that is in the queue at the call will do.
     * Failures satisfy every type. One event completes all that wait. (ND1-CQ-NTF-01 to -14)
     * ND_SUCCESS; ND_PENDING; ND_INVALID_PARAMETER_1: unknown Type; ND_BUFFER_OVERFLOW: the queue has overrun;
     * ND_FAILURE: it has failed; ND_INSUFFICIENT_RESOURCES. Overlapped: ND_SUCCESS; ND_CANCELED; ND_BUFFER_OVERFLOW and
     * ND_FAILURE: the same, meanwhile. */
    STDMETHOD(Notify)(THIS_ DWORD Type, OVERLAPPED* pOverlapped) PURE;

    /* Stores the addresses of the oldest results, at most nResults, and returns how many; fewer than asked only if no
     * more were there. They are the program's again. Results of one endpoint come in the order posted, inbound and
     * outbound apart. Polling it is enough to make progress. (ND1-CQ-GR-01 to -06) */
    STDMETHOD_(SIZE_T, GetResults)(THIS_ ND_RESULT* pResults[], SIZE_T nResults) PURE;
};

/* ---- INDMemoryWindow: a view into registered memory that a peer may use, and that can be taken back -------------- */

/* One binding at a time, by INDEndpoint::Bind, good for the connection of that endpoint only. It ends by Invalidate, by
 * the peer's SendAndInvalidate, with the connection, or with the last Release. (ND1-MW-01 to -15) */
#undef INTERFACE
#define INTERFACE INDMemoryWindow
DECLARE_INTERFACE_(INDMemoryWindow, IUnknown) {
    OPENND_SLOTS_IUNKNOWN
};

/* ---- INDEndpoint: one end of a connection ------------------------------------------------------------------------ */

/* The first request that fails ends the connection; everything else completes with ND_CANCELED (ND1-EP-GEN-10). Last
 * Release disconnects and flushes (ND1-EP-GEN-24).
 *
 * All requests (ND1-EP-GEN-01 to -24 in docs/requirements/nd1.md): nSge 0 is a request of no bytes; the result has
 * the status:
 *   ND_SUCCESS: accepted; ND_CONNECTION_INVALID: not connected, except Receive; ND_DATA_OVERRUN: more SGEs than the
 *   endpoint was created for; ND_BUFFER_OVERFLOW: more bytes than the adapter's limit, or inline than the endpoint's;
 *   ND_NO_MORE_ENTRIES: as many as it was created for are outstanding.
 *   Result: ND_SUCCESS; ND_LOCAL_LENGTH: too long for the hardware; ND_ACCESS_VIOLATION: an SGE does not lie in its
 *   registration; ND_CANCELED: flushed; ND_INVALID_REQUEST: malformed; ND_TIMEOUT: the peer does not answer, or posted
 *   no Receive in time; ND_REMOTE_ERROR: refused at the peer; ND_FAILURE: fault of provider or hardware. A Receive
 *   never has ND_LOCAL_LENGTH; Bind and Invalidate have those that they name. */
#undef INTERFACE
#define INTERFACE INDEndpoint
DECLARE_INTERFACE_(INDEndpoint, IUnknown) {
    OPENND_SLOTS_IUNKNOWN

    /* Completes all outstanding requests with ND_CANCELED. A connected endpoint transfers no data any more, and still
     * has to be disconnected; one that never was stays usable. (ND1-EP-FLUSH-01 to -06) ND_SUCCESS. */
    STDMETHOD(Flush)(THIS) PURE;

    /* Allows the following requests to be held back until SubmitRequestBatch. (ND1-EP-BATCH-01 to -07) */
    STDMETHOD_(void, StartRequestBatch)(THIS) PURE;

    /* Issues the requests since StartRequestBatch. (ND1-EP-BATCH-01 to -07) */
    STDMETHOD_(void, SubmitRequestBatch)(THIS) PURE;

    /* Sends a message, which uses one Receive of the peer. Flags: SILENT_SUCCESS, READ_FENCE, SEND_AND_SOLICIT_EVENT.
     * Statuses as all requests. (ND1-EP-SEND-01 to -07, ND1-EP-INL-01 to -07) */
    STDMETHOD(Send)(THIS_ ND_RESULT* pResult, const ND_SGE* pSgl, SIZE_T nSge, DWORD Flags) PURE;

    /* Send, which also takes away the access that the peer has granted by the descriptor, before its Receive completes.
     * Statuses as all requests; ND_NOT_SUPPORTED: not on this adapter. Result: also ND_INVALIDATION_ERROR, on both
     * sides: there is no such window at the peer. (ND1-EP-SINV-01 to -06) */
    STDMETHOD(SendAndInvalidate)(THIS_ ND_RESULT* pResult, const ND_SGE* pSgl, SIZE_T nSge,
                                 const ND_MW_DESCRIPTOR* pRemoteMwDescriptor, DWORD Flags) PURE;

    /* Posts buffers for one message of the peer, used in the order posted; allowed from creation on.
     * Statuses as all requests, except ND_CONNECTION_INVALID. Result: also ND_BUFFER_OVERFLOW: the message is longer;
     * ND_INVALIDATION_ERROR: the peer invalidates a window that is not bound. (ND1-EP-RECV-01 to -09) */
    STDMETHOD(Receive)(THIS_ ND_RESULT* pResult, const ND_SGE* pSgl, SIZE_T nSge) PURE;

    /* Binds a window to BufferSize bytes at pBuffer inside a registration and writes the descriptor for the peer, at
     * once. Flags: ALLOW_READ, ALLOW_WRITE, at least one of them, SILENT_SUCCESS, READ_FENCE. Grants from its
     * execution, in the order posted, so that a Send after it may carry the descriptor. (ND1-EP-BIND-01 to -11)
     * ND_SUCCESS; ND_INVALID_PARAMETER_4, _5: begin or end outside the registration, or no bytes;
     * ND_INVALID_PARAMETER_6: neither ALLOW flag; ND_INVALID_DEVICE_STATE: the window is bound; ND_CONNECTION_INVALID;
     * ND_NO_MORE_ENTRIES.
     * Result: ND_SUCCESS; ND_ACCESS_VIOLATION: stale registration, or ALLOW_WRITE of read-only memory; ND_CANCELED;
     * ND_INVALID_REQUEST; ND_FAILURE. */
    STDMETHOD(Bind)(THIS_ ND_RESULT* pResult, ND_MR_HANDLE hMr, INDMemoryWindow* pMw, const VOID* pBuffer,
                    SIZE_T BufferSize, DWORD Flags, ND_MW_DESCRIPTOR* pMwDescriptor) PURE;

    /* Takes a window back: after its result no access of the peer by the old descriptor succeeds. Flags:
     * SILENT_SUCCESS, READ_FENCE. (ND1-EP-INV-01 to -07) ND_SUCCESS; ND_CONNECTION_INVALID; ND_NO_MORE_ENTRIES.
     * Result: ND_SUCCESS; ND_INVALIDATION_ERROR: not bound by this endpoint; ND_CANCELED; ND_INVALID_REQUEST;
     * ND_FAILURE. */
    STDMETHOD(Invalidate)(THIS_ ND_RESULT* pResult, INDMemoryWindow* pMw, DWORD Flags) PURE;

    /* Fetches the peer's memory, Offset bytes into the window of the descriptor. Flags: SILENT_SUCCESS, READ_FENCE.
     * More than the outbound read limit wait. Statuses as all requests; ND_REMOTE_ERROR: beyond the end of the window,
     * and the connection goes on; ND_INVALID_REQUEST: the outbound read limit is 0. (ND1-EP-READ-01 to -14) */
    STDMETHOD(Read)(THIS_ ND_RESULT* pResult, const ND_SGE* pSgl, SIZE_T nSge,
                    const ND_MW_DESCRIPTOR* pRemoteMwDescriptor, ULONGLONG Offset, DWORD Flags) PURE;

    /* Stores data in the peer's memory, Offset bytes into the window of the descriptor. Flags: SILENT_SUCCESS,
     * READ_FENCE.
     * Statuses as Read, without the limit. (ND1-EP-WRITE-01 to -07) */
    STDMETHOD(Write)(THIS_ ND_RESULT* pResult, const ND_SGE* pSgl, SIZE_T nSge,
                     const ND_MW_DESCRIPTOR* pRemoteMwDescriptor, ULONGLONG Offset, DWORD Flags) PURE;
};

/* ---- INDConnector: one connection, and its endpoint -------------------------------------------------------------- */

/* Active: Connect, CompleteConnect. Passive: INDListen::GetConnectionRequest, Accept. */
#undef INTERFACE
#define INTERFACE INDConnector
DECLARE_INTERFACE_(INDConnector, INDOverlapped) {
    OPENND_SLOTS_INDOVERLAPPED

    /* Makes the connector's only endpoint. Entries are requests outstanding at a time, SGEs are per request, read
     * limits are Reads in progress at a time; 0 is allowed. *pMaxInlineData, if given, is the inline limit in bytes.
     * (ND1-CN-CREP-01 to -10)
     * ND_SUCCESS; ND_INVALID_PARAMETER_3 to _8: that argument is above the adapter's maximum; ND_NOT_SUPPORTED: there
     * is one already; ND_CONNECTION_INVALID: the connector has been used up; memory. */
    STDMETHOD(CreateEndpoint)(THIS_ INDCompletionQueue* pInboundCq, INDCompletionQueue* pOutboundCq,
                              SIZE_T nInboundEntries, SIZE_T nOutboundEntries, SIZE_T nInboundSge, SIZE_T nOutboundSge,
                              SIZE_T InboundReadLimit, SIZE_T OutboundReadLimit, SIZE_T* pMaxInlineData,
                              INDEndpoint** ppEndpoint) PURE;

    /* Asks the listener at address and port for a connection, sending private data along. Protocol: 0 to 255, the same
     * as the listener's. LocalPort: 0 for any. Next comes CompleteConnect, or Reject. (ND1-CN-CONN-01 to -17)
     * ND_PENDING; ND_INVALID_PARAMETER_1: not this connector's endpoint; ND_INVALID_ADDRESS; ND_INVALID_PARAMETER_4:
     * bad Protocol; ND_BUFFER_OVERFLOW: private data above MaxCallerData; ND_ACCESS_VIOLATION: private data NULL but
     * not empty; ND_CONNECTION_ACTIVE: in use; ND_CONNECTION_INVALID: used up; ND_ADDRESS_ALREADY_EXISTS: LocalPort in
     * use; memory.
     * Overlapped: ND_SUCCESS: accepted; and, free for another try: ND_CONNECTION_REFUSED: no listener, or rejected;
     * ND_TIMEOUT: no answer; ND_NETWORK_UNREACHABLE and ND_HOST_UNREACHABLE, which may also be inline; ND_CANCELED. */
    STDMETHOD(Connect)(THIS_ INDEndpoint* pEndpoint, const struct sockaddr* pAddress, SIZE_T AddressLength,
                       INT Protocol, USHORT LocalPort, const VOID* pPrivateData, SIZE_T PrivateDataLength,
                       OVERLAPPED* pOverlapped) PURE;

    /* Establishes the connection that Connect has prepared; the peer's Accept then completes. (ND1-CN-CPL-01 to -06)
     * ND_SUCCESS; ND_PENDING; ND_CONNECTION_INVALID: Connect has not completed with success; ND_CONNECTION_ABORTED: the
     * peer is gone. Overlapped: ND_SUCCESS; ND_CONNECTION_ABORTED; ND_CANCELED. */
    STDMETHOD(CompleteConnect)(THIS_ OVERLAPPED* pOverlapped) PURE;

    /* Accepts the request given to this connector, sending private data back; completes when the peer has called
     * CompleteConnect or sent its first message. (ND1-CN-ACC-01 to -09)
     * ND_PENDING; ND_INVALID_PARAMETER_1: not this connector's endpoint; ND_BUFFER_OVERFLOW: private data above
     * MaxCalleeData; ND_ACCESS_VIOLATION: private data NULL but not empty; ND_CONNECTION_INVALID: no request here;
     * ND_CONNECTION_ACTIVE: accepted already; ND_CONNECTION_ABORTED: the peer gave up.
     * Overlapped: ND_SUCCESS; ND_CONNECTION_ABORTED; ND_TIMEOUT: no answer; ND_CANCELED. */
    STDMETHOD(Accept)(THIS_ INDEndpoint* pEndpoint, const VOID* pPrivateData, SIZE_T PrivateDataLength,
                      OVERLAPPED* pOverlapped) PURE;

    /* Refuses a request (passive), or an answer before CompleteConnect (active), sending private data along. The
     * connector has then been used up. (ND1-CN-REJ-01 to -07)
     * ND_SUCCESS; ND_BUFFER_OVERFLOW: private data above MaxCalleeData; ND_ACCESS_VIOLATION: private data NULL but not
     * empty; ND_CONNECTION_ABORTED: the peer gave up before; ND_CONNECTION_INVALID: nothing to refuse. */
    STDMETHOD(Reject)(THIS_ const VOID* pPrivateData, SIZE_T PrivateDataLength) PURE;

    /* The read limits, from here to the peer and back, as low as both sides need, and the peer's private data. All
     * four pointers may be NULL. *pPrivateDataLength is then the length the peer gave. (ND1-CN-DATA-01 to -07,
     * ND1-CN-RL-01 to -05)
     * ND_SUCCESS; ND_BUFFER_OVERFLOW: buffer too small; it has the first bytes; ND_CONNECTION_INVALID: nothing has
     * arrived; ND_CONNECTION_ABORTED: the peer gave up. */
    STDMETHOD(GetConnectionData)(THIS_ SIZE_T* pInboundReadLimit, SIZE_T* pOutboundReadLimit, VOID* pPrivateData,
                                 SIZE_T* pPrivateDataLength) PURE;

    /* The local address and port. (ND1-CN-ADDR-01 to -05)
     * ND_SUCCESS; ND_BUFFER_OVERFLOW: pAddress is NULL or too small, *pAddressLength is the size needed (16 or 28);
     * ND_CONNECTION_INVALID: there is none; ND_CONNECTION_ABORTED: the peer gave up. */
    STDMETHOD(GetLocalAddress)(THIS_ struct sockaddr* pAddress, SIZE_T* pAddressLength) PURE;

    /* The peer's address and port. Statuses as GetLocalAddress. (ND1-CN-ADDR-01 to -05) */
    STDMETHOD(GetPeerAddress)(THIS_ struct sockaddr* pAddress, SIZE_T* pAddressLength) PURE;

    /* Waits for the end of the connection, by the peer, by loss or by Disconnect here. The peer's leaving does nothing
     * else: requests are not flushed. (ND1-CN-NDISC-01 to -06)
     * ND_SUCCESS: it has ended; ND_PENDING; ND_CONNECTION_INVALID: never connected. Overlapped: ND_SUCCESS;
     * ND_CANCELED. */
    STDMETHOD(NotifyDisconnect)(THIS_ OVERLAPPED* pOverlapped) PURE;

    /* Ends the connection and flushes the endpoint; data reported as sent reach the peer. Both objects have then
     * been used up. (ND1-CN-DISC-01 to -09)
     * ND_SUCCESS: the peer had left; ND_PENDING; ND_CONNECTION_INVALID: not connected. Overlapped: ND_SUCCESS;
     * ND_CANCELED: no longer waited for, but it goes on. */
    STDMETHOD(Disconnect)(THIS_ OVERLAPPED* pOverlapped) PURE;
};

/* ---- INDListen: a port that peers connect to --------------------------------------------------------------------- */

/* INDAdapter::Listen makes one. Last Release frees the port and refuses waiting requests (ND1-LS-CLS-01). */
#undef INTERFACE
#define INTERFACE INDListen
DECLARE_INTERFACE_(INDListen, INDOverlapped) {
    OPENND_SLOTS_INDOVERLAPPED

    /* Waits for a request to connect and gives it to the connector. Any number may be outstanding, each with a
     * connector of its own; first come, first served. (ND1-LS-GCR-01 to -09)
     * ND_SUCCESS; ND_PENDING; ND_CONNECTION_ACTIVE: the connector is in use; ND_CONNECTION_INVALID: it has been used
     * up.
     * Overlapped: ND_SUCCESS; ND_CANCELED: the connector is as new. */
    STDMETHOD(GetConnectionRequest)(THIS_ INDConnector* pConnector, OVERLAPPED* pOverlapped) PURE;
};

/* ---- INDAdapter: creates everything else ------------------------------------------------------------------------- */

/* One local IP address. Each opened instance is a protection domain (ND1-PROV-11). */
#undef INTERFACE
#define INTERFACE INDAdapter
DECLARE_INTERFACE_(INDAdapter, INDOverlapped) {
    OPENND_SLOTS_INDOVERLAPPED

    /* The handle on which all overlapped requests of this instance complete; the same each time, and the adapter's: do
     * not close it. INVALID_HANDLE_VALUE on failure. (ND1-AD-FH-01 to -04) */
    STDMETHOD_(HANDLE, GetFileHandle)(THIS) PURE;

    /* Tells the adapter's limits. *pBufferSize is the size of the buffer in bytes, and then of the answer.
     * (ND1-AD-QRY-01 to -10) ND_SUCCESS; ND_NOT_SUPPORTED: VersionRequested is not 1; ND_BUFFER_OVERFLOW: pInfo is NULL
     * or *pBufferSize below 128, which it then is. */
    STDMETHOD(Query)(THIS_ DWORD VersionRequested, ND_ADAPTER_INFO* pInfo, SIZE_T* pBufferSize) PURE;

    /* For vendors' extensions, of which OpenND has none. (ND1-AD-CTL-01) ND_NOT_SUPPORTED. */
    STDMETHOD(Control)(THIS_ DWORD IoControlCode, const VOID* pInBuffer, SIZE_T InBufferSize, VOID* pOutBuffer,
                       SIZE_T OutBufferSize, SIZE_T* pBytesReturned, OVERLAPPED* pOverlapped) PURE;

    /* Makes a queue for nEntries results. (ND1-AD-CQ-01 to -04)
     * ND_SUCCESS; ND_INVALID_PARAMETER: 0, or above MaxCqEntries; memory. */
    STDMETHOD(CreateCompletionQueue)(THIS_ SIZE_T nEntries, INDCompletionQueue** ppCq) PURE;

    /* Registers BufferSize bytes of the program's memory for local use by all endpoints of this instance; peers get at
     * it through windows only. *phMr is set when it completes. (ND1-AD-REG-01 to -11)
     * ND_SUCCESS; ND_PENDING; ND_INVALID_PARAMETER: above MaxRegistrationSize; ND_ACCESS_VIOLATION: no bytes, or not
     * all mapped; ND_INSUFFICIENT_RESOURCES. Overlapped: the same. */
    STDMETHOD(RegisterMemory)(THIS_ const VOID* pBuffer, SIZE_T BufferSize, OVERLAPPED* pOverlapped,
                              ND_MR_HANDLE* phMr) PURE;

    /* Ends a registration. (ND1-AD-DRG-01 to -05)
     * ND_SUCCESS; ND_PENDING; ND_INVALID_HANDLE: no such registration; ND_DEVICE_BUSY: windows are bound to it.
     * Overlapped: ND_SUCCESS. */
    STDMETHOD(DeregisterMemory)(THIS_ ND_MR_HANDLE hMr, OVERLAPPED* pOverlapped) PURE;

    /* Makes a window, unbound. pInvalidateResult belongs to OpenND as long as the window exists; the inbound queue
     * gives it back each time the peer has invalidated the window, just before the Receive. NULL: no report.
     * (ND1-AD-MW-01 to -03, ND1-MW-05, -06) ND_SUCCESS; memory. */
    STDMETHOD(CreateMemoryWindow)(THIS_ ND_RESULT* pInvalidateResult, INDMemoryWindow** ppMw) PURE;

    /* Makes a connector, for either side. (ND1-AD-CN-01) ND_SUCCESS; memory. */
    STDMETHOD(CreateConnector)(THIS_ INDConnector** ppConnector) PURE;

    /* Begins to listen on a port of the adapter's address; 0 takes a free one, which *pAssignedPort then is. Backlog:
     * how many requests may wait without a GetConnectionRequest; 0: no limit. Protocol: 0 to 255. (ND1-AD-LSN-01 to
     * -12)
     * ND_SUCCESS; ND_INVALID_PARAMETER_2: bad Protocol; ND_INVALID_PARAMETER_MIX: Port is 0 and pAssignedPort NULL;
     * ND_ADDRESS_ALREADY_EXISTS: port in use; ND_INSUFFICIENT_RESOURCES: no free port; memory. */
    STDMETHOD(Listen)(THIS_ SIZE_T Backlog, INT Protocol, USHORT Port, USHORT* pAssignedPort,
                      INDListen** ppListen) PURE;
};

/* ---- INDProvider: finds and opens adapters ----------------------------------------------------------------------- */

/* DllGetClassObject gives a factory of it; most programs use NdOpenV1Adapter. Adapters outlive it (ND1-COM-16). */
#undef INTERFACE
#define INTERFACE INDProvider
DECLARE_INTERFACE_(INDProvider, IUnknown) {
    OPENND_SLOTS_IUNKNOWN

    /* Lists the local addresses that can be opened, ports 0, entries first and addresses behind them in the caller's
     * buffer of *pBufferSize bytes. (ND1-PROV-01 to -07)
     * ND_SUCCESS; ND_BUFFER_OVERFLOW: pAddressList is NULL or too small, *pBufferSize is the size needed. */
    STDMETHOD(QueryAddressList)(THIS_ SOCKET_ADDRESS_LIST* pAddressList, SIZE_T* pBufferSize) PURE;

    /* Opens the adapter that has the address; its port is ignored; every call makes an instance of its own.
     * (ND1-PROV-08 to -11) ND_SUCCESS; ND_INVALID_ADDRESS: malformed, or not served; ND_NO_MEMORY. */
    STDMETHOD(OpenAdapter)(THIS_ const struct sockaddr* pAddress, SIZE_T AddressLength, INDAdapter** ppAdapter) PURE;
};

/* clang-format on */
OPENND_END_INTERFACES

#undef INTERFACE

#endif
