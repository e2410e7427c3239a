/* SPDX-License-Identifier: MIT
 * The last credit is kept for a message that grants some: if both sides used theirs for anything else, neither could tell
 * the other of its receives any more. */
#include "connection/credits.h"

VOID CreditsPosted(CREDITS* Credits) { ++Credits->ToGrant; }

VOID CreditsGranted(CREDITS* Credits, ULONG Count) { Credits->ToSend += Count; }

BOOLEAN CreditsTake(CREDITS* Credits, UINT16* Grant) {
    if (Credits->ToSend == 0 || (Credits->ToSend == 1 && Credits->ToGrant == 0)) return FALSE;
    --Credits->ToSend;
    *Grant = (UINT16)Credits->ToGrant;
    Credits->ToGrant = 0;
    return TRUE;
}

BOOLEAN CreditsAreOwed(const CREDITS* Credits) {
    return Credits->ToGrant != 0 && Credits->ToGrant * 2 >= Credits->Ring;
}
