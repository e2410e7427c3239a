/* SPDX-License-Identifier: MIT
 *
 * Credits: each message needs a receive that the peer has posted, and each side tells the other, in the header of what it
 * sends anyway, how many it has posted anew. Guarded by the connection's lock.
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

/* Uses one up, and takes what the message has to grant. FALSE: the message has to wait. */
BOOLEAN CreditsTake(CREDITS* Credits, UINT16* Grant);

/* TRUE: the peer lacks so many that it should be told even if there is nothing to say. */
BOOLEAN CreditsAreOwed(const CREDITS* Credits);
