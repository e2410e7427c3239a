// SPDX-License-Identifier: MIT
// Requests that a host gave to a consumer.
#include "kernel/driver.h"

VOID IoCompleteRequest(PIRP Irp, CCHAR) {
    PKEVENT const event = Irp->UserEvent;
    if (Irp->UserIosb != nullptr) *Irp->UserIosb = Irp->IoStatus;
    if (event != nullptr) KeSetEvent(event, IO_NO_INCREMENT, FALSE);  // the host may free the request from here on
}
