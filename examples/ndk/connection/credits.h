/* SPDX-License-Identifier: MIT
 *
 * Credits: each message needs a receive that the peer has posted. Each side grants its newly posted receives in the
 * header of its next message. Guarded by the connection's lock.
 */
#pragma once

#include <ntddk.h>

typedef struct _CREDITS {
    ULONG ToSend;  /* receives of the peer's that nothing was sent for yet */
    ULONG ToGrant; /* receives of this side's that the peer does not know of */
    ULONG Ring;    /* receives of this side's altogether */
} CREDITS;

/* A receive was posted. */
VOID CreditsPosted(CREDITS* Credits);

/* The peer has told of some. */
VOID CreditsGranted(CREDITS* Credits, ULONG Count);

/* Uses one credit up, and takes the grant for the message's header. FALSE: the message has to wait. */
BOOLEAN CreditsTake(CREDITS* Credits, UINT16* Grant);

/* TRUE: the peer lacks enough credits to be told by a message of its own. */
BOOLEAN CreditsAreOwed(const CREDITS* Credits);
