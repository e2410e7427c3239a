/* SPDX-License-Identifier: MIT
 *
 * The server: a listener, and a session for each client that comes.
 */
#pragma once

#include "adapter/adapter.h"

typedef struct _SERVER {
    ADAPTER Adapter;
    PDEVICE_OBJECT Device; /* for work items */
    NDK_LISTENER* Listener;
    EX_RUNDOWN_REF Running; /* the sessions; run down: no more begin */
    KSPIN_LOCK Lock;
    LIST_ENTRY Sessions;
    BOOLEAN IsStopping;
} SERVER;

/* Listens at the address; in *Address afterwards is the port, if it was 0. On failure nothing is left. PASSIVE_LEVEL. */
NTSTATUS ServerStart(SERVER* Server, PROVIDER* Provider, PDEVICE_OBJECT Device, SOCKADDR_INET* Address);

/* Ends all sessions and closes everything. PASSIVE_LEVEL. */
VOID ServerStop(SERVER* Server);
