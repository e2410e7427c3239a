/* SPDX-License-Identifier: MIT
 *
 * The header of each message. All integers are little-endian.
 *
 * The client says Hello, the server answers with Hello; both name how many credits they want. From then on the client
 * asks
 * (Echo, Put, Get) and the server answers each question with a Reply of the same Number, in any order. Credits stands
 * alone when there is nothing else to say.
 */
#pragma once

#include <ntddk.h>

#define PROTOCOL_MAGIC   0x4B444E4Fu
#define PROTOCOL_VERSION 1u

/* The private data of NdkConnect. */
typedef struct _INTRODUCTION {
    UINT32 Magic;
    UINT32 Version;
} INTRODUCTION;

typedef enum _MESSAGE_KIND {
    MessageHello = 1,
    MessageCredits = 2,
    MessageEcho = 3, /* send the payload back */
    MessagePut = 4,  /* read the client's region, by RDMA, into the store */
    MessageGet = 5,  /* write a part of the store, by RDMA, into the client's region */
    MessageReply = 6
} MESSAGE_KIND;

/* The server's last message about a region takes the token away (SendAndInvalidate). */
#define MESSAGE_TAKE_TOKEN 0x0001u

typedef struct _MESSAGE_HEADER {
    UINT16 Kind;
    UINT16 CreditsGranted; /* messages more that the receiver of this one may send */
    UINT16 CreditsWanted;  /* Hello: how many the sender would like to have at a time */
    UINT16 Flags;
    UINT32 Number;       /* of the request, which the reply repeats */
    INT32 Status;        /* Reply: NTSTATUS */
    UINT32 PayloadBytes; /* behind the header */
    UINT32 Checksum;     /* Reply to Put and Get: of the bytes in the store */
    UINT64 StoreOffset;
    UINT64 RegionAddress;
    UINT32 RegionToken;
    UINT32 RegionBytes;
} MESSAGE_HEADER;

C_ASSERT(sizeof(MESSAGE_HEADER) == 48);
