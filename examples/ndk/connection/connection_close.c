/* SPDX-License-Identifier: MIT
 * The order in which a connection is taken down, so that no completion is lost and no memory is given back that the adapter
 * may still write to: flush, connector, completions, queue pair, queues, memory. */
#include "adapter/pending.h"
#include "connection/connection.h"

NTSTATUS ConnectionDisconnect(CONNECTION* Connection) {
    PENDING Pending;
    PendingBegin(&Pending);
    return PendingWait(&Pending,
                       Connection->Connector->Dispatch->NdkDisconnect(Connection->Connector, PendingEnded, &Pending));
}

VOID ConnectionClose(CONNECTION* Connection) {
    NDK_CONNECTOR* const Connector = Connection->Connector;
    NDK_QP* const QueuePair = Connection->QueuePair;
    NDK_CQ* const ReceiveCq = Connection->ReceiveCq;
    NDK_CQ* const SendCq = Connection->SendCq;
    if (QueuePair != NULL) QueuePair->Dispatch->NdkFlush(QueuePair);
    if (Connector != NULL) PendingClose(Connector->Dispatch->NdkCloseConnector, &Connector->Header);
    /* The adapter has stopped, and everything that was posted is in the queues, which the callbacks empty. */
    if (InterlockedCompareExchange(&Connection->QueuesFailed, 0, 0) == 0)
        ExWaitForRundownProtectionRelease(&Connection->Requests);
    ExWaitForRundownProtectionRelease(&Connection->Callbacks);
    if (QueuePair != NULL) PendingClose(QueuePair->Dispatch->NdkCloseQp, &QueuePair->Header);
    if (SendCq != NULL) PendingClose(SendCq->Dispatch->NdkCloseCq, &SendCq->Header);
    if (ReceiveCq != NULL) PendingClose(ReceiveCq->Dispatch->NdkCloseCq, &ReceiveCq->Header);
    SendQueueFree(&Connection->Queue);
    ReceiveRingFree(&Connection->Ring);
}
