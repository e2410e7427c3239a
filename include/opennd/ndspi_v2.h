/* SPDX-License-Identifier: MIT
 *
 * ndspi_v2.h: the interfaces of Network Direct version 2. Include ndspi.h; read ndspi_v2_types.h for the structures.
 *
 * An IND2Provider opens an IND2Adapter, which creates all other objects. Two kinds of work exist:
 *
 *   Posted requests (Send, Receive, Read, Write, Bind, Invalidate) return ND_SUCCESS when accepted; how they ended
 *   comes out of IND2CompletionQueue::GetResults. Data buffers belong to OpenND until then, SGE arrays only during the
 *   call.
 *
 *   Overlapped requests take an OVERLAPPED, always return ND_PENDING when accepted, never ND_SUCCESS (ND2-OVL-01), and
 *   end as "Overlapped:" below says. Until then the OVERLAPPED belongs to OpenND. When one is complete,
 *   OVERLAPPED.Internal is its status, its event is set, and a packet is at the completion port of the overlapped file,
 *   whichever of the two it has. Requests make progress without further calls (ND2-OVL-24).
 *
 * A call that fails changes nothing, and nothing follows from it (ND2-OVL-02, ND2-QP-POST-01). Not repeated below:
 *
 *   All methods are thread-safe and do not wait for the network (ND2-GEN-09). Buffers and objects passed in are needed
 *   during the call only, unless it says otherwise. `pcb...` arguments are sizes in bytes: of the buffer before the
 *   call, of the result after it.
 *   E_POINTER: an output interface pointer is NULL. ND_INVALID_PARAMETER: another required pointer is NULL, except
 *   addresses (ND_INVALID_ADDRESS) and objects (their numbered status) (ND2-GEN-04). Objects must come from the same
 *   adapter instance (ND2-GEN-06).
 *   "memory": ND_NO_MEMORY or ND_INSUFFICIENT_RESOURCES, out of memory or of another resource.
 *   ND_DEVICE_REMOVED: the adapter is gone; any method that needs it, at once or later (ND2-GEN-07).
 */
#ifndef OPENND_NDSPI_V2_H
#define OPENND_NDSPI_V2_H

#include "ndspi_v2_types.h"

OPENND_BEGIN_INTERFACES
/* The formatter takes STDMETHOD for an expression. */
/* clang-format off */

/* ---- IND2Overlapped: the methods of all objects with overlapped requests ----------------------------------------- */

#undef INTERFACE
#define INTERFACE IND2Overlapped
DECLARE_INTERFACE_(IND2Overlapped, IUnknown) {
    OPENND_SLOTS_IUNKNOWN

    /* Completes every pending request of this object with ND_CANCELED, in order of submission; all are complete when it
     * returns. The object stays usable, except that a cancelled Connect, Accept or CompleteConnect ends its connector.
     * Register, Deregister and Disconnect are not undone. (ND2-OVL-12, -14, -15)
     * ND_SUCCESS, also if nothing was pending; ND_UNSUCCESSFUL: the adapter failed to. */
    STDMETHOD(CancelOverlappedRequests)(THIS) PURE;

    /* Gives the status of a request, which may be of any object of the module, at any time after it was submitted and
     * any number of times. With wait TRUE it waits until the request is complete; an auto-reset event is then consumed,
     * if it had to wait. (ND2-OVL-17 to -20, -23)
     * The request's own status; ND_PENDING: in progress, and wait is FALSE; ND_INVALID_PARAMETER: NULL. */
    STDMETHOD(GetOverlappedResult)(THIS_ OVERLAPPED* pOverlapped, BOOL wait) PURE;
};

#ifdef OPENND_C_INTERFACES
#define OPENND_SLOTS_IND2OVERLAPPED            \
    OPENND_SLOTS_IUNKNOWN                      \
    STDMETHOD(CancelOverlappedRequests)(THIS); \
    STDMETHOD(GetOverlappedResult)(THIS_ OVERLAPPED* pOverlapped, BOOL wait);
#else
#define OPENND_SLOTS_IND2OVERLAPPED
#endif

/* ---- IND2CompletionQueue: results of posted requests, from any number of queue pairs ----------------------------- */

/* Last Release while queue pairs use it: they go on, and their results are dropped (ND2-CQ-REL-01). */
#undef INTERFACE
#define INTERFACE IND2CompletionQueue
DECLARE_INTERFACE_(IND2CompletionQueue, IND2Overlapped) {
    OPENND_SLOTS_IND2OVERLAPPED

    /* Tells on which processors notifications are handled: the group (0 on Linux) and the mask of processors in it.
     * (ND2-CQ-AFF-01) ND_SUCCESS; ND_INVALID_PARAMETER. */
    STDMETHOD(GetNotifyAffinity)(THIS_ USHORT* pGroup, KAFFINITY* pAffinity) PURE;

    /* Changes the number of results the queue has room for. None is lost, and Notify requests stay armed; traffic need
     * not stop. (ND2-CQ-RSZ-01 to -03)
     * ND_SUCCESS; ND_INVALID_PARAMETER: 0, or above MaxCompletionQueueDepth; ND_BUFFER_OVERFLOW: more results than that
     * are in the queue, or it has overrun; ND_INTERNAL_ERROR: it has failed; ND_NOT_SUPPORTED: not on this adapter;
     * memory. */
    STDMETHOD(Resize)(THIS_ ULONG queueDepth) PURE;

    /* Waits for a result that type (ND_CQ_NOTIFY_...) asks for, and that is added after the call or is in the queue
     * then, so that a result between GetResults and Notify is not missed. ERRORS waits for failure of the queue itself.
     * May complete although another thread has taken the result. Several may be outstanding; one event completes all
     * that it matches, and an event for an ANY completes the SOLICITED. (ND2-CQ-NTF-01 to -10)
     * ND_PENDING; ND_INVALID_PARAMETER: unknown type; ND_BUFFER_OVERFLOW: the queue has overrun (ND2-CQ-OVR-01);
     * ND_INTERNAL_ERROR: it has failed; memory. Overlapped: ND_SUCCESS; ND_CANCELED; ND_BUFFER_OVERFLOW and
     * ND_INTERNAL_ERROR: the same, meanwhile. */
    STDMETHOD(Notify)(THIS_ ULONG type, OVERLAPPED* pOverlapped) PURE;

    /* Moves the oldest results, at most nResults, into the array and returns how many; fewer than asked only if no more
     * were there. Received and Read data are visible to the calling thread. Initiator results of one queue pair come in
     * the order posted, and so do its receive results; nothing else is ordered. Frees the requests' places in their
     * queues. Polling it is enough to make progress. (ND2-CQ-GET-01 to -08) */
    STDMETHOD_(ULONG, GetResults)(THIS_ ND2_RESULT results[], ULONG nResults) PURE;
};

/* ---- IND2SharedReceiveQueue: receive buffers for several queue pairs --------------------------------------------- */

/* Exists if MaxSharedReceiveQueueDepth is not 0. Messages that find it empty wait without limit (ND2-SRQ-RECV-03).
 * Requests in it are not flushed with a queue pair, and vanish without a result at the end (ND2-SRQ-FLUSH-01). */
#undef INTERFACE
#define INTERFACE IND2SharedReceiveQueue
DECLARE_INTERFACE_(IND2SharedReceiveQueue, IND2Overlapped) {
    OPENND_SLOTS_IND2OVERLAPPED

    /* As IND2CompletionQueue::GetNotifyAffinity. (ND2-SRQ-AFF-01) ND_SUCCESS; ND_INVALID_PARAMETER. */
    STDMETHOD(GetNotifyAffinity)(THIS_ USHORT* pGroup, KAFFINITY* pAffinity) PURE;

    /* Changes depth and threshold, both in requests; 0 leaves the one as it is. Both change, or none. (ND2-SRQ-MOD-01)
     * ND_SUCCESS; ND_INVALID_PARAMETER: depth above MaxSharedReceiveQueueDepth, or threshold above the new depth;
     * ND_BUFFER_OVERFLOW: more requests than that are outstanding; memory. */
    STDMETHOD(Modify)(THIS_ ULONG queueDepth, ULONG notifyThreshold) PURE;

    /* Waits until fewer requests than the threshold are left, which may be so at the call; with threshold 0, never. One
     * event completes all that wait. (ND2-SRQ-NTF-01 to -03)
     * ND_PENDING; ND_INTERNAL_ERROR: the queue has failed; memory. Overlapped: ND_SUCCESS; ND_CANCELED;
     * ND_INTERNAL_ERROR. */
    STDMETHOD(Notify)(THIS_ OVERLAPPED* pOverlapped) PURE;

    /* Posts buffers for one message to any of the queue pairs, used in the order posted. The result goes to the receive
     * completion queue of the queue pair that used it. Rights as IND2QueuePair::Receive. (ND2-SRQ-RECV-01, -02, -04)
     * ND_SUCCESS; ND_INVALID_PARAMETER_2: sge is NULL and nSge is not 0; ND_DATA_OVERRUN: nSge above maxRequestSge;
     * ND_BUFFER_OVERFLOW: more than MaxTransferLength in all; ND_NO_MORE_ENTRIES: full. */
    STDMETHOD(Receive)(THIS_ VOID* requestContext, const ND2_SGE sge[], ULONG nSge) PURE;
};

/* ---- IND2MemoryWindow: a view into a region that a peer may use, and that can be taken back ---------------------- */

/* One binding at a time, by IND2QueuePair::Bind, good for the connection of that queue pair only. It ends by
 * Invalidate, or with the last Release of window, region or queue pair. (ND2-MW-01 to -08) */
#undef INTERFACE
#define INTERFACE IND2MemoryWindow
DECLARE_INTERFACE_(IND2MemoryWindow, IUnknown) {
    OPENND_SLOTS_IUNKNOWN

    /* The token for the peer's Reads and Writes: valid from the return of Bind, new with each, 0 if unbound. It means
     * the same as a region's: remote addresses are the owner's virtual addresses. (ND2-MW-01, -04; ND2-MR-TOK-02) */
    STDMETHOD_(UINT32, GetRemoteToken)(THIS) PURE;
};

/* ---- IND2MemoryRegion: one registration of memory at a time ------------------------------------------------------ */

/* Registrations may overlap without limit. Last Release deregisters and unbinds windows (ND2-MR-REL-01). */
#undef INTERFACE
#define INTERFACE IND2MemoryRegion
DECLARE_INTERFACE_(IND2MemoryRegion, IND2Overlapped) {
    OPENND_SLOTS_IND2OVERLAPPED

    /* Registers cbBuffer bytes of the program's memory for use with all queue pairs of the adapter instance. flags
     * (ND_MR_FLAG_...) are the rights beside local read; 0 will do to send from. The memory stays the program's, which
     * keeps it mapped until Deregister completes. Of memory that disappears before, the kernel's copies and a peer's
     * accesses give ND_ACCESS_VIOLATION; a copy that this process makes itself faults as any access of it does: a message
     * that is short, or any over TCP. (ND2-MR-REG-01 to -07)
     * ND_PENDING; ND_INVALID_PARAMETER: pBuffer is NULL, the range wraps or exceeds MaxRegistrationSize, unknown flags;
     * ND_INVALID_BUFFER_SIZE: cbBuffer is 0; ND_INVALID_DEVICE_STATE: registered already; ND_ACCESS_VIOLATION: not
     * mapped, or not writable and flags ask for it; memory. Overlapped: ND_SUCCESS; ND_ACCESS_VIOLATION; memory. */
    STDMETHOD(Register)(THIS_ const VOID* pBuffer, SIZE_T cbBuffer, ULONG flags, OVERLAPPED* pOverlapped) PURE;

    /* Ends the registration: the tokens are dead at the return, and nothing touches the memory after completion.
     * Requests posted before may fail with ND_ACCESS_VIOLATION. (ND2-MR-DEREG-01 to -03)
     * ND_PENDING; ND_DEVICE_BUSY: windows are bound to it; ND_INVALID_DEVICE_STATE: nothing is registered, or Register
     * is in progress. Overlapped: ND_SUCCESS. */
    STDMETHOD(Deregister)(THIS_ OVERLAPPED* pOverlapped) PURE;

    /* The token for ND2_SGE; valid from the completion of Register to the call of Deregister, otherwise 0, which grants
     * nothing. (ND2-MR-TOK-01) */
    STDMETHOD_(UINT32, GetLocalToken)(THIS) PURE;

    /* The token for the peer's Reads and Writes; valid as the local one. The peer addresses byte i of the buffer as
     * (UINT64)pBuffer + i. Without remote rights it grants nothing. (ND2-MR-TOK-01 to -03)
     * The number is in network byte order: its octets as they lie in memory are those of the STag on the wire. Programs
     * that both use Network Direct pass it on as it is. A protocol that has a field for it says in which order its octets
     * go: where it has them most significant first (rping, uDAPL) they are copied as they lie in memory; where it has a
     * little-endian number (the key of an NVMe keyed SGL, the Token of an SMB Direct buffer descriptor) the field gets
     * ntohl() of this, and the content of such a field goes through htonl() before it is a remoteToken. */
    STDMETHOD_(UINT32, GetRemoteToken)(THIS) PURE;
};

/* ---- IND2QueuePair: one end of a connection ---------------------------------------------------------------------- */

/* States: Idle, Establishing, Connected, Error. Error is final: outstanding and new requests are flushed, with results
 * ND_CANCELED. The first request that fails leads to it and ends the connection on both sides (ND2-QP-ERR-01). Effects
 * reach the peer in the order posted, except that requests without ND_OP_FLAG_READ_FENCE may overtake a Read
 * (ND2-QP-POST-11, -12). Last Release disconnects; the flush results are in the completion queues when it returns
 * (ND2-QP-REL-01).
 *
 * All requests: nSge 0 is a request of no bytes; requestContext comes back in the result.
 *   ND_SUCCESS: accepted; ND_INVALID_PARAMETER_2: sge is NULL and nSge is not 0; ND_DATA_OVERRUN: more SGEs than the
 *   queue pair was created for; ND_BUFFER_OVERFLOW: more than MaxTransferLength bytes in all, or inline more than
 *   inlineDataSize; ND_CONNECTION_INVALID: an initiator request in Idle; ND_NO_MORE_ENTRIES: as many requests as the
 *   queue is deep are posted and their results not yet retrieved. (ND2-QP-POST-03 to -07) SGEs are checked when the
 *   request executes. */
#undef INTERFACE
#define INTERFACE IND2QueuePair
DECLARE_INTERFACE_(IND2QueuePair, IUnknown) {
    OPENND_SLOTS_IUNKNOWN

    /* Completes all outstanding requests of both queues with ND_CANCELED; their results are in the completion queues,
     * and no buffer is written any more, when it returns. Connected goes to Error; the program still has to Disconnect.
     * Idle stays Idle. (ND2-QP-FLUSH-01 to -05) ND_SUCCESS, in every state. */
    STDMETHOD(Flush)(THIS) PURE;

    /* Sends a message, which uses one Receive of the peer. flags: SILENT_SUCCESS, READ_FENCE, SEND_AND_SOLICIT_EVENT,
     * INLINE (data are copied in the call and need not be registered, and maxInitiatorRequestSge does not matter).
     * (ND2-QP-SEND-01 to -09) Statuses as all requests; ND_INVALID_PARAMETER_4: other flags.
     * Result: ND_SUCCESS: placed in the peer's buffers; STATUS_DATA_ERROR: the peer's Receive was too small or invalid;
     * ND_IO_TIMEOUT: the peer posted no Receive in time, or does not answer; ND_ACCESS_VIOLATION: an SGE does not lie
     * in its region; ND_CANCELED; ND_INTERNAL_ERROR. */
    STDMETHOD(Send)(THIS_ VOID* requestContext, const ND2_SGE sge[], ULONG nSge, ULONG flags) PURE;

    /* Posts buffers for one message of the peer, used in the order posted; allowed in every state, so before
     * connecting. The regions need local write. A shorter message leaves the rest as it was. (ND2-QP-RECV-01 to -05)
     * Statuses as all requests; ND_INVALID_DEVICE_REQUEST: the queue pair has a shared receive queue.
     * Result: ND_SUCCESS; ND_DATA_OVERRUN: the message is longer; ND_ACCESS_VIOLATION: an SGE does not lie in its
     * region, or that has no local write; ND_CANCELED; ND_INTERNAL_ERROR. */
    STDMETHOD(Receive)(THIS_ VOID* requestContext, const ND2_SGE sge[], ULONG nSge) PURE;

    /* Binds a window to cbBuffer bytes at pBuffer inside a region, so that the peer of this queue pair may read or
     * write them by the window's remote token. flags: SILENT_SUCCESS, READ_FENCE, ALLOW_READ, ALLOW_WRITE (which needs
     * local write of the region); neither of the last two: a window that grants nothing. Grants from its execution, in
     * the order posted, so a Send after it may carry the token. (ND2-QP-BIND-01 to -06)
     * ND_SUCCESS; ND_INVALID_PARAMETER_2: no region; ND_INVALID_PARAMETER_3: no window; ND_INVALID_PARAMETER_6:
     * undefined flags; ND_CONNECTION_INVALID: Idle; ND_INVALID_DEVICE_STATE: the window is bound; ND_INVALID_PARAMETER:
     * nothing is registered, cbBuffer is 0, or the range lies outside; ND_ACCESS_VIOLATION: ALLOW_WRITE, and the region
     * has no local write; ND_NO_MORE_ENTRIES. Result: ND_SUCCESS; ND_ACCESS_VIOLATION; ND_INVALID_DEVICE_REQUEST;
     * ND_CANCELED: the window is unbound again; ND_INTERNAL_ERROR. */
    STDMETHOD(Bind)(THIS_ VOID* requestContext, IUnknown* pMemoryRegion, IUnknown* pMemoryWindow, const VOID* pBuffer,
                    SIZE_T cbBuffer, ULONG flags) PURE;

    /* Takes a window back: after its result no access of the peer by the old token succeeds or is in progress, and the
     * window may be bound again. flags: SILENT_SUCCESS, READ_FENCE. (ND2-QP-INV-01 to -04)
     * ND_SUCCESS; ND_INVALID_PARAMETER_2: no window; ND_INVALID_PARAMETER_3: undefined flags; ND_CONNECTION_INVALID:
     * Idle; ND_NO_MORE_ENTRIES. Result: ND_SUCCESS; ND_INVALID_DEVICE_REQUEST: not bound on this queue pair;
     * ND_CANCELED; ND_INTERNAL_ERROR. */
    STDMETHOD(Invalidate)(THIS_ VOID* requestContext, IUnknown* pMemoryWindow, ULONG flags) PURE;

    /* Fetches the peer's memory at remoteAddress, a virtual address of the peer, into the SGEs, whose regions need
     * local write or RDMA_READ_SINK. The peer's program is not told. At most the negotiated limit of Reads is in
     * progress, more wait. The call takes as long as a peer on this host keeps a page of its private memory away, as Write
     * does. flags: SILENT_SUCCESS, READ_FENCE. No bytes: always succeeds. (ND2-QP-RDMA-01 to -04, ND2-QP-READ-01 to -04)
     * Statuses as all requests, SGEs limited by MaxReadSge too; ND_INVALID_PARAMETER_6: undefined flags.
     * Result: ND_SUCCESS: all data placed; ND_ACCESS_VIOLATION: refused at the peer (token, right, range), or an SGE
     * here; ND_INVALID_DEVICE_REQUEST: the negotiated outbound limit is 0; STATUS_DATA_ERROR: the peer reports an error
     * without a closer match; ND_IO_TIMEOUT: it does not answer; ND_CANCELED; ND_INTERNAL_ERROR. */
    STDMETHOD(Read)(THIS_ VOID* requestContext, const ND2_SGE sge[], ULONG nSge, UINT64 remoteAddress,
                    UINT32 remoteToken, ULONG flags) PURE;

    /* Stores the SGEs' data in the peer's memory at remoteAddress, a virtual address of the peer; its program is not
     * told. The last byte becomes visible last, if the adapter has IN_ORDER_DMA; all of it before the result of a later
     * Send. flags: SILENT_SUCCESS, READ_FENCE, INLINE. No bytes: always succeeds. (ND2-QP-RDMA-01 to -04,
     * ND2-QP-WRITE-01 to -03, ND2-QP-POST-11, -14) Statuses as all requests; ND_INVALID_PARAMETER_6: other flags.
     * Result: ND_SUCCESS: accepted and placed at the peer; otherwise as Read, but for the limit. */
    STDMETHOD(Write)(THIS_ VOID* requestContext, const ND2_SGE sge[], ULONG nSge, UINT64 remoteAddress,
                     UINT32 remoteToken, ULONG flags) PURE;
};

/* ---- IND2Connector: one connection, for one queue pair ----------------------------------------------------------- */

/* Active: Bind, Connect, CompleteConnect. Passive: IND2Listener::GetConnectionRequest, Accept. Then, both:
 * NotifyDisconnect, Disconnect. A method that the state does not allow fails (ND2-CON-STATE-01). The last Release
 * abandons unfinished requests, and disconnects (ND2-CON-REL-01). When the peer ends the connection, NotifyDisconnect
 * completes first; outstanding requests flush 10 ms later, or at once if this side calls Disconnect or has not asked
 * for the notice. Address arguments: at least 16 bytes for IPv4, 28 for IPv6, more is ignored (ND2-CON-ADDR-01). */
#undef INTERFACE
#define INTERFACE IND2Connector
DECLARE_INTERFACE_(IND2Connector, IND2Overlapped) {
    OPENND_SLOTS_IND2OVERLAPPED

    /* Sets the local address: one of the adapter's, or the unspecified one, which stands for it. Port 0 takes a free
     * port of 49152 to 65535 at once. The port is a label and may be that of a listener or of other connectors.
     * (ND2-CON-BIND-01 to -04, ND2-CON-PORT-01, -02)
     * ND_SUCCESS; ND_INVALID_ADDRESS: malformed, or not the adapter's; STATUS_ADDRESS_ALREADY_ASSOCIATED: bound
     * already, which does no harm; ND_CONNECTION_ACTIVE: given to GetConnectionRequest; ND_TOO_MANY_ADDRESSES: no free
     * port; memory. */
    STDMETHOD(Bind)(THIS_ const struct sockaddr* pAddress, ULONG cbAddress) PURE;

    /* Asks the listener at the destination for a connection, sending private data of at most MaxCallerData bytes along.
     * Completes when the peer has accepted or refused; it may take as long as it likes to. Read limits are offers:
     * silently lowered to the limits of adapter and peer (ND2-CON-LIM-01 to -04). Next comes CompleteConnect, or
     * Reject. (ND2-CON-CONN-01 to -10)
     * ND_PENDING; ND_INVALID_ADDRESS: malformed, multicast, broadcast, port 0 or of another family than bound;
     * ND_INVALID_PARAMETER_1: no queue pair; ND_INVALID_BUFFER_SIZE: too much private data; ND_ACCESS_VIOLATION:
     * private data NULL but not empty; STATUS_ADDRESS_NOT_ASSOCIATED: not bound; ND_CONNECTION_ACTIVE: connector or
     * queue pair in use; ND_INVALID_DEVICE_STATE: one of them has been used up; memory.
     * Overlapped: ND_SUCCESS; and, with the connector still bound, for another try: ND_CONNECTION_REFUSED: no listener,
     * its backlog full, or rejected (GetPrivateData has the peer's data); ND_IO_TIMEOUT: no answer;
     * ND_NETWORK_UNREACHABLE and ND_HOST_UNREACHABLE: routing; ND_ADDRESS_ALREADY_EXISTS: these two addresses and ports
     * are connected already; STATUS_BAD_NETWORK_NAME: unspecified destination; and, finally: ND_CANCELED: cancelled, or
     * queue pair released; ND_CONNECTION_ABORTED: broke after the peer was reached. */
    STDMETHOD(Connect)(THIS_ IUnknown* pQueuePair, const struct sockaddr* pDestAddress, ULONG cbDestAddress,
                       ULONG inboundReadLimit, ULONG outboundReadLimit, const VOID* pPrivateData, ULONG cbPrivateData,
                       OVERLAPPED* pOverlapped) PURE;

    /* Establishes the connection of Connect; the peer's Accept then completes. Initiator requests may be posted from
     * its return. No time limit since Connect. (ND2-CON-CMPL-01 to -04, ND2-QP-POST-08)
     * ND_PENDING; ND_CONNECTION_INVALID: Connect has not completed with success. Overlapped: ND_SUCCESS;
     * ND_CONNECTION_ABORTED: the peer gave up; ND_IO_TIMEOUT: no answer; ND_CANCELED. */
    STDMETHOD(CompleteConnect)(THIS_ OVERLAPPED* pOverlapped) PURE;

    /* Accepts the request that a listener gave to this connector, sending private data of at most MaxCalleeData bytes
     * back. Completes when the peer has called CompleteConnect, for which it may take as long as it likes. Read limits
     * lower those of GetReadLimits further. Initiator requests may be posted from its return. (ND2-CON-ACC-01 to -10)
     * ND_PENDING; ND_INVALID_PARAMETER_1: no queue pair; ND_INVALID_BUFFER_SIZE: too much private data;
     * ND_ACCESS_VIOLATION: private data NULL but not empty; ND_CONNECTION_INVALID: no request here;
     * ND_CONNECTION_ACTIVE: accepted already, or queue pair in use; ND_INVALID_DEVICE_STATE: connector or queue pair
     * has been used up; memory.
     * Overlapped: ND_SUCCESS; ND_CONNECTION_ABORTED: the peer gave up before it had the answer, or the network broke;
     * ND_CONNECTION_REFUSED: the peer rejected or released after it; ND_IO_TIMEOUT: a configured limit passed;
     * ND_CANCELED: cancelled, or queue pair released. */
    STDMETHOD(Accept)(THIS_ IUnknown* pQueuePair, ULONG inboundReadLimit, ULONG outboundReadLimit,
                      const VOID* pPrivateData, ULONG cbPrivateData, OVERLAPPED* pOverlapped) PURE;

    /* Refuses a request (passive), or an answer before CompleteConnect (active), sending private data of at most
     * MaxCalleeData bytes along. The connector has then been used up; releasing it at once is fine. (ND2-CON-REJ-01 to
     * -04)
     * ND_SUCCESS; ND_INVALID_BUFFER_SIZE: too much private data; ND_ACCESS_VIOLATION: private data NULL but not empty;
     * ND_CONNECTION_ABORTED: the peer gave up before; ND_INVALID_DEVICE_STATE: nothing to refuse. */
    STDMETHOD(Reject)(THIS_ const VOID* pPrivateData, ULONG cbPrivateData) PURE;

    /* The numbers of Reads that may be in progress at a time: from the peer, and to it. Either pointer may be NULL.
     * Before Accept, those of the peer's offer; after Connect or Accept, those in force. (ND2-CON-LIM-02 to -06)
     * ND_SUCCESS; ND_CONNECTION_INVALID: no request and no answer has arrived. */
    STDMETHOD(GetReadLimits)(THIS_ ULONG* pInboundReadLimit, ULONG* pOutboundReadLimit) PURE;

    /* Copies the peer's private data: of its Connect, Accept or Reject. Any number of times, until Release, or until
     * the next Connect after a rejection. *pcbPrivateData is then the length the peer passed. (ND2-CON-PD-01 to -04)
     * ND_SUCCESS; ND_BUFFER_OVERFLOW: pPrivateData is NULL and there are data, or it is too small and has the first
     * bytes; ND_CONNECTION_INVALID: nothing has arrived; ND_CONNECTION_ABORTED: the peer took its request back. */
    STDMETHOD(GetPrivateData)(THIS_ VOID* pPrivateData, ULONG* pcbPrivateData) PURE;

    /* The local address and port, from Bind or GetConnectionRequest on. (ND2-CON-ADDR-02, -03)
     * ND_SUCCESS; ND_BUFFER_OVERFLOW: pAddress is NULL or too small, *pcbAddress is the size needed (16 or 28);
     * ND_CONNECTION_INVALID: there is none yet. */
    STDMETHOD(GetLocalAddress)(THIS_ struct sockaddr* pAddress, ULONG* pcbAddress) PURE;

    /* The peer's address and port, from Connect or GetConnectionRequest on, also when the connection has ended.
     * Statuses as GetLocalAddress. (ND2-CON-ADDR-02, -03) */
    STDMETHOD(GetPeerAddress)(THIS_ struct sockaddr* pAddress, ULONG* pcbAddress) PURE;

    /* Waits for the end of the connection. May be called from Accept or CompleteConnect on, also when it has ended
     * already, and several times at once. (ND2-CON-NTF-01 to -05)
     * ND_PENDING; ND_CONNECTION_INVALID: never connected. Overlapped: ND_SUCCESS: the peer disconnected, or the
     * connection failed; STATUS_CONNECTION_DISCONNECTED: Disconnect was called here, or the queue pair released;
     * ND_CANCELED; or the status of the Accept or CompleteConnect that failed. */
    STDMETHOD(NotifyDisconnect)(THIS_ OVERLAPPED* pOverlapped) PURE;

    /* Ends the connection. Data reported as sent reach the peer; all outstanding requests are flushed, and their
     * results are in the completion queues, before it completes. A silent peer delays that by two seconds at most.
     * Queue pair and connector are then used up. (ND2-CON-DISC-01 to -07)
     * ND_PENDING, also when the peer has disconnected; ND_CONNECTION_INVALID: not connected; ND_INVALID_DEVICE_STATE:
     * called already, and pending. Overlapped: ND_SUCCESS; ND_CANCELED: no longer waited for, but it goes on. */
    STDMETHOD(Disconnect)(THIS_ OVERLAPPED* pOverlapped) PURE;
};

/* ---- IND2Listener: an address and port that peers connect to ----------------------------------------------------- */

/* The last Release refuses waiting requests, but none that a connector has (ND2-LIS-REL-01). */
#undef INTERFACE
#define INTERFACE IND2Listener
DECLARE_INTERFACE_(IND2Listener, IND2Overlapped) {
    OPENND_SLOTS_IND2OVERLAPPED

    /* Sets the address: one of the adapter's, or the unspecified one, which stands for it; port 0 takes a free one at
     * once. Connectors with the same address do not matter. (ND2-LIS-BIND-01 to -03)
     * ND_SUCCESS; ND_INVALID_ADDRESS: malformed, or not the adapter's; ND_SHARING_VIOLATION: another listener has
     * address and port; STATUS_ADDRESS_ALREADY_ASSOCIATED: bound already; ND_TOO_MANY_ADDRESSES: no free port; memory.
     */
    STDMETHOD(Bind)(THIS_ const struct sockaddr* pAddress, ULONG cbAddress) PURE;

    /* Begins to take requests. backlog: how many may wait without a GetConnectionRequest before more are refused; 0: no
     * limit. (ND2-LIS-LIST-01, -02) ND_SUCCESS; STATUS_ADDRESS_NOT_ASSOCIATED: not bound; ND_INVALID_DEVICE_STATE:
     * listening already; memory. */
    STDMETHOD(Listen)(THIS_ ULONG backlog) PURE;

    /* The address and port, from Bind on. (ND2-LIS-ADDR-01, ND2-CON-ADDR-02)
     * ND_SUCCESS; ND_BUFFER_OVERFLOW: pAddress is NULL or too small, *pcbAddress is the size needed (16 or 28);
     * ND_INVALID_DEVICE_STATE: not bound. */
    STDMETHOD(GetLocalAddress)(THIS_ struct sockaddr* pAddress, ULONG* pcbAddress) PURE;

    /* Waits for a request to connect and gives it to the connector, which then has the peer's address, private data and
     * read limits, and decides by Accept or Reject. It is a request of the listener: completed on the listener's
     * overlapped file and cancelled there. Several may be outstanding; first come, first served. (ND2-LIS-REQ-01 to
     * -08)
     * ND_PENDING; ND_INVALID_PARAMETER_1: no connector; ND_INVALID_DEVICE_STATE: not listening; ND_CONNECTION_ACTIVE:
     * the connector is bound or in use; memory. Overlapped: ND_SUCCESS; ND_CANCELED: the connector is as new. */
    STDMETHOD(GetConnectionRequest)(THIS_ IUnknown* pConnector, OVERLAPPED* pOverlapped) PURE;
};

/* ---- IND2Adapter: creates everything else ------------------------------------------------------------------------ */

/* Each opened instance is a protection domain: its objects and tokens do not work with another's (ND2-PRV-OPEN-02).
 * Its objects go on after its last Release (ND2-ADP-REL-01).
 *
 * All Create methods: the new reference is in the last argument, NULL on failure, and the caller's. iid is that of the
 * v2 interface or of a base of it. hOverlappedFile is from CreateOverlappedFile of this instance, says where the
 * object's overlapped requests complete, and may be closed any time later (ND2-FILE-02).
 *   ND_SUCCESS; E_NOINTERFACE: another iid (ND2-COM-03); ND_INVALID_HANDLE: hOverlappedFile is not such a handle
 *   (ND2-FILE-07); memory. */
#undef INTERFACE
#define INTERFACE IND2Adapter
DECLARE_INTERFACE_(IND2Adapter, IUnknown) {
    OPENND_SLOTS_IUNKNOWN

    /* Makes a handle on which overlapped requests complete. The caller owns it, may associate it with a completion port
     * (opennd_port_associate), before or after creating objects with it, and closes it with opennd_handle_close, which
     * disturbs no request. (ND2-FILE-01 to -08) ND_SUCCESS; memory. */
    STDMETHOD(CreateOverlappedFile)(THIS_ HANDLE* phOverlappedFile) PURE;

    /* Tells the adapter's limits; *pcbInfo becomes the size filled in. InfoVersion may be unset. (ND2-ADP-QUERY-01 to -03)
     * ND_SUCCESS; ND_BUFFER_OVERFLOW: pInfo is NULL or *pcbInfo below 96; it then is the newest version's size. */
    STDMETHOD(Query)(THIS_ ND2_ADAPTER_INFO* pInfo, ULONG* pcbInfo) PURE;

    /* Lists this adapter's addresses, as IND2Provider::QueryAddressList does. (ND2-ADP-ADDR-01) */
    STDMETHOD(QueryAddressList)(THIS_ SOCKET_ADDRESS_LIST* pAddressList, ULONG* pcbAddressList) PURE;

    /* Makes an IND2CompletionQueue for queueDepth results. group and affinity wish for processors to handle
     * notifications on; 0: any; ignored if they cannot be. (ND2-ADP-CQ-01, -02)
     * Statuses as all Create methods; ND_INVALID_PARAMETER_3: queueDepth is 0 or above MaxCompletionQueueDepth. */
    STDMETHOD(CreateCompletionQueue)(THIS_ REFIID iid, HANDLE hOverlappedFile, ULONG queueDepth, USHORT group,
                                     KAFFINITY affinity, VOID** ppCompletionQueue) PURE;

    /* Makes an IND2MemoryRegion with nothing registered. Statuses as all Create methods. (ND2-ADP-MR-01) */
    STDMETHOD(CreateMemoryRegion)(THIS_ REFIID iid, HANDLE hOverlappedFile, VOID** ppMemoryRegion) PURE;

    /* Makes an IND2MemoryWindow, unbound. Statuses as all Create methods. (ND2-ADP-MW-01) */
    STDMETHOD(CreateMemoryWindow)(THIS_ REFIID iid, VOID** ppMemoryWindow) PURE;

    /* Makes an IND2SharedReceiveQueue for queueDepth requests of maxRequestSge SGEs each; Notify tells of fewer than
     * notifyThreshold left, 0: never. group and affinity as CreateCompletionQueue. (ND2-ADP-SRQ-01)
     * Statuses as all Create methods; ND_INVALID_PARAMETER_3: queueDepth is 0 or above MaxSharedReceiveQueueDepth;
     * ND_INVALID_PARAMETER_4: maxRequestSge above MaxReceiveSge; ND_INVALID_PARAMETER_5: notifyThreshold above
     * queueDepth; ND_NOT_SUPPORTED: the adapter has no shared receive queues. */
    STDMETHOD(CreateSharedReceiveQueue)(THIS_ REFIID iid, HANDLE hOverlappedFile, ULONG queueDepth, ULONG maxRequestSge,
                                        ULONG notifyThreshold, USHORT group, KAFFINITY affinity,
                                        VOID** ppSharedReceiveQueue) PURE;

    /* Makes an IND2QueuePair; its results go to the two completion queues, which may be one and need not be as deep as
     * it. context comes back in every result. Depths are in requests and kept exactly; SGE counts are per request and
     * may be rounded up; inlineDataSize is in bytes per request. 0 is allowed. (ND2-ADP-QP-01, -03 to -07)
     * Statuses as all Create methods; ND_INVALID_PARAMETER_2, _3: no completion queue; above the adapter's maximum: _5:
     * receiveQueueDepth, _6: initiatorQueueDepth, _7: maxReceiveRequestSge, _8: maxInitiatorRequestSge, _9:
     * inlineDataSize. */
    STDMETHOD(CreateQueuePair)(THIS_ REFIID iid, IUnknown* pReceiveCompletionQueue, IUnknown* pInitiatorCompletionQueue,
                               VOID* context, ULONG receiveQueueDepth, ULONG initiatorQueueDepth,
                               ULONG maxReceiveRequestSge, ULONG maxInitiatorRequestSge, ULONG inlineDataSize,
                               VOID** ppQueuePair) PURE;

    /* The same with a shared receive queue in place of its own. (ND2-ADP-QP-02)
     * Statuses as all Create methods; ND_INVALID_PARAMETER_2, _3: no completion queue; _4: no shared receive queue;
     * above the adapter's maximum: _6: initiatorQueueDepth, _7: maxInitiatorRequestSge, _8: inlineDataSize;
     * ND_NOT_SUPPORTED: the adapter has no shared receive queues. */
    STDMETHOD(CreateQueuePairWithSrq)(THIS_ REFIID iid, IUnknown* pReceiveCompletionQueue,
                                      IUnknown* pInitiatorCompletionQueue, IUnknown* pSharedReceiveQueue, VOID* context,
                                      ULONG initiatorQueueDepth, ULONG maxInitiatorRequestSge, ULONG inlineDataSize,
                                      VOID** ppQueuePair) PURE;

    /* Makes an IND2Connector, not bound. Statuses as all Create methods. (ND2-ADP-CON-01) */
    STDMETHOD(CreateConnector)(THIS_ REFIID iid, HANDLE hOverlappedFile, VOID** ppConnector) PURE;

    /* Makes an IND2Listener, not bound. Statuses as all Create methods. (ND2-ADP-CON-01) */
    STDMETHOD(CreateListener)(THIS_ REFIID iid, HANDLE hOverlappedFile, VOID** ppListener) PURE;
};

/* ---- IND2Provider: finds and opens adapters ---------------------------------------------------------------------- */

/* DllGetClassObject gives one; most programs use ndsupport.h instead. Adapters outlive it (ND2-COM-09), and each open
 * one shows as one more reference in its count (ND2-COM-07). */
#undef INTERFACE
#define INTERFACE IND2Provider
DECLARE_INTERFACE_(IND2Provider, IUnknown) {
    OPENND_SLOTS_IUNKNOWN

    /* Lists the local addresses that adapters serve, ports 0: IPv4, then IPv6; those of loopback only where there is no
     * other. The list, entries and addresses behind it included, goes into the caller's buffer; none is iAddressCount 0.
     * (ND2-PRV-LIST-01 to -05)
     * ND_SUCCESS; ND_BUFFER_OVERFLOW: pAddressList is NULL or too small, *pcbAddressList is the size needed. */
    STDMETHOD(QueryAddressList)(THIS_ SOCKET_ADDRESS_LIST* pAddressList, ULONG* pcbAddressList) PURE;

    /* Tells which adapter serves a local address; its port is ignored. The id names the network interface: it is the same
     * for all of its addresses, and while the process lives. (ND2-PRV-RES-01 to -03)
     * ND_SUCCESS; ND_INVALID_ADDRESS: malformed, or not served; memory. */
    STDMETHOD(ResolveAddress)(THIS_ const struct sockaddr* pAddress, ULONG cbAddress, UINT64* pAdapterId) PURE;

    /* Opens an adapter; every call makes an instance of its own. *ppAdapter is a new reference, or NULL on failure.
     * (ND2-PRV-OPEN-01, -02) ND_SUCCESS; ND_INVALID_PARAMETER: no such id; E_NOINTERFACE: unknown iid; memory. */
    STDMETHOD(OpenAdapter)(THIS_ REFIID iid, UINT64 adapterId, VOID** ppAdapter) PURE;
};

/* clang-format on */
OPENND_END_INTERFACES

#undef INTERFACE

#endif
