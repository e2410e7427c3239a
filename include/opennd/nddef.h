/* SPDX-License-Identifier: MIT
 *
 * nddef.h: versions, flags and other constants of Network Direct 1 and 2.
 */
#ifndef _NDDEF_H_
#define _NDDEF_H_

/* ---- versions ---------------------------------------------------------------------------------------------------- */

#define ND_VERSION_1 0x1
#define ND_VERSION_2 0x20000

/* Which version the program is written for; define it before the first of these headers to choose another one. */
#ifndef NDVER
#define NDVER ND_VERSION_2
#endif

/* ---- ND2_ADAPTER_INFO.AdapterFlags ------------------------------------------------------------------------------- */

#define ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED            0x00000001 /* bytes of a request land in address order */
#define ND_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED 0x00000004 /* Notify may be delayed to join several */
#define ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED            0x00000008 /* completion queues progress in parallel */
#define ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED               0x00000100 /* IND2CompletionQueue::Resize works */
#define ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED    0x00010000 /* an adapter can connect to itself */

/* ---- events that Notify of a completion queue waits for ---------------------------------------------------------- */

#define ND_CQ_NOTIFY_ERRORS    0 /* failure of the queue; in version 1, any failure */
#define ND_CQ_NOTIFY_ANY       1 /* any result */
#define ND_CQ_NOTIFY_SOLICITED 2 /* a receive of a Send with SOLICIT_EVENT, or a failure */

/* ---- memory regions ---------------------------------------------------------------------------------------------- */

#define ND_MR_FLAG_ALLOW_LOCAL_WRITE  0x00000001 /* receives may land here */
#define ND_MR_FLAG_ALLOW_REMOTE_READ  0x00000002 /* peers may read it */
#define ND_MR_FLAG_ALLOW_REMOTE_WRITE 0x00000005 /* peers may write it; contains the local-write bit */
#define ND_MR_FLAG_RDMA_READ_SINK     0x00000008 /* data of Reads may land here */
#define ND_MR_FLAG_DO_NOT_SECURE_VM   0x80000000 /* no effect on Linux */

/* ---- requests (ndspi_v1.h and ndspi_v2.h name the flags of each method) ------------------------------------------ */

#define ND_OP_FLAG_SILENT_SUCCESS         0x00000001 /* no result if it succeeds */
#define ND_OP_FLAG_READ_FENCE             0x00000002 /* begin after all Reads posted before are done */
#define ND_OP_FLAG_SEND_AND_SOLICIT_EVENT 0x00000004 /* Send: satisfy a solicited Notify at the peer */
#define ND_OP_FLAG_ALLOW_READ             0x00000008 /* Bind: the peer may read through the window */
#define ND_OP_FLAG_ALLOW_WRITE            0x00000010 /* Bind: the peer may write through the window */
#if NDVER >= ND_VERSION_2
#define ND_OP_FLAG_INLINE 0x00000020 /* Send, Write: data are copied in the call; their tokens are not looked at */
#endif

#endif
