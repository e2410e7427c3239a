/* SPDX-License-Identifier: MIT
 *
 * The driver's requests, shared by the driver and the host. Buffers are the IRP's SystemBuffer.
 */
#pragma once

#include <ntddk.h>

/* Runs the server, until the driver is unloaded. */
#define IOCTL_EXAMPLE_LISTEN CTL_CODE(FILE_DEVICE_NETWORK, 0x800, METHOD_BUFFERED, FILE_ANY_ACCESS)

typedef struct _LISTEN_CONTROL {
    SOCKADDR_INET Address; /* in: a port of 0 for any; out: the port */
} LISTEN_CONTROL;

/* Runs a client once, from beginning to end. */
#define IOCTL_EXAMPLE_TRANSFER CTL_CODE(FILE_DEVICE_NETWORK, 0x801, METHOD_BUFFERED, FILE_ANY_ACCESS)

typedef struct _TRANSFER_CONTROL {
    SOCKADDR_INET Server;      /* in */
    ULONG Echoes;              /* in: messages that go there and back; out: that came back as they were */
    ULONG64 BytesPut;          /* out: read by the server from this side's memory, and compared */
    ULONG64 BytesGot;          /* out: written by it */
    ULONG TokensTakenByServer; /* out: registrations that ended with a message of the server's */
    ULONG TokensTakenHere;     /* out: and by a request of this side's */
} TRANSFER_CONTROL;
