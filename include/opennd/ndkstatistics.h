/* SPDX-License-Identifier: MIT
 *
 * ndkstatistics.h: NDIS's structures about an NDK adapter: counters, capabilities, connections, local endpoints.
 * Included by opennd_ndk.h, and filled by its functions opennd_ndk_query_....
 */
#ifndef OPENND_NDKSTATISTICS_H
#define OPENND_NDKSTATISTICS_H

#include "ndkinfo.h"

typedef struct _NDIS_OBJECT_HEADER {
    UCHAR Type;
    UCHAR Revision;
    USHORT Size; /* bytes */
} NDIS_OBJECT_HEADER, *PNDIS_OBJECT_HEADER;

#define NDIS_OBJECT_TYPE_DEFAULT 0x80

#define NDIS_NDK_STATISTICS_INFO_REVISION_1 1
#define NDIS_NDK_CAPABILITIES_REVISION_1    1
#define NDIS_NDK_CONNECTIONS_REVISION_1     1
#define NDIS_NDK_LOCAL_ENDPOINTS_REVISION_1 1

/* Totals of an adapter through all interfaces of Network Direct; ActiveConnection alone is current. The number of a
 * counter, its offset divided by 8, is its bit in MissingCounterMask. (NDK-STAT-01 to -04) */
typedef struct _NDIS_NDK_PERFORMANCE_COUNTERS {
    ULONG64 Connect;          /* outgoing connections established */
    ULONG64 Accept;           /* incoming connections established */
    ULONG64 ConnectFailure;   /* attempts, either way, that failed */
    ULONG64 ConnectionError;  /* connections that failed, or were lost, before either side ended them */
    ULONG64 ActiveConnection; /* connections that are established */
    ULONG64 Reserved01;       /* 0, as are all reserved ones */
    ULONG64 Reserved02;
    ULONG64 Reserved03;
    ULONG64 Reserved04;
    ULONG64 Reserved05;
    ULONG64 Reserved06;
    ULONG64 Reserved07;
    ULONG64 Reserved08;
    ULONG64 Reserved09;
    ULONG64 Reserved10;
    ULONG64 Reserved11;
    ULONG64 Reserved12;
    ULONG64 Reserved13;
    ULONG64 Reserved14;
    ULONG64 Reserved15;
    ULONG64 Reserved16;
    ULONG64 Reserved17;
    ULONG64 Reserved18;
    ULONG64 Reserved19;
    ULONG64 Reserved20;
    ULONG64 CQError;       /* completion queues that failed */
    ULONG64 RDMAInOctets;  /* bytes that came, with their framing: TCP's stream; frame headers in shared memory */
    ULONG64 RDMAOutOctets; /* bytes that left, likewise */
    ULONG64 RDMAInFrames;  /* FPDUs that came; in shared memory messages, their parts, and copies */
    ULONG64 RDMAOutFrames; /* those that left */
} NDIS_NDK_PERFORMANCE_COUNTERS, *PNDIS_NDK_PERFORMANCE_COUNTERS;

typedef struct _NDIS_NDK_STATISTICS_INFO {
    NDIS_OBJECT_HEADER Header;
    ULONG Flags; /* 0 */
    NDIS_NDK_PERFORMANCE_COUNTERS CounterSet;
} NDIS_NDK_STATISTICS_INFO, *PNDIS_NDK_STATISTICS_INFO;

/* The most objects of each kind, and other limits that NDK_ADAPTER_INFO lacks. */
typedef struct _NDIS_NDK_CAPABILITIES {
    NDIS_OBJECT_HEADER Header;
    ULONG Flags; /* 0 */
    ULONG MaxQpCount;
    ULONG MaxCqCount;
    ULONG MaxMrCount;
    ULONG MaxPdCount;
    ULONG MaxInboundReadLimit;  /* of all queue pairs together; 0: no such limit */
    ULONG MaxOutboundReadLimit; /* likewise */
    ULONG MaxMwCount;
    ULONG MaxSrqCount;
    ULONG64 MissingCounterMask; /* the counters that are not kept */
    NDK_ADAPTER_INFO* NdkInfo;
} NDIS_NDK_CAPABILITIES, *PNDIS_NDK_CAPABILITIES;

typedef struct _NDIS_NDK_CONNECTION_ENTRY {
    SOCKADDR_INET Local;
    SOCKADDR_INET Remote;
    BOOLEAN UserModeOwner; /* TRUE: through version 1 or 2; FALSE: through NDK (NDK-STAT-12) */
    ULONG OwnerPid;
} NDIS_NDK_CONNECTION_ENTRY, *PNDIS_NDK_CONNECTION_ENTRY;

/* With TRUE a connection has two entries: the even one has its addresses and owner, the odd one behind it the addresses of
 * its TCP connection alone (NDK-STAT-13, -14). */
typedef struct _NDIS_NDK_CONNECTIONS {
    NDIS_OBJECT_HEADER Header;
    ULONG Flags; /* 0 */
    ULONG Count; /* of entries */
    BOOLEAN NDConnectionsMappedtoTCPConnections;
    NDIS_NDK_CONNECTION_ENTRY Connections[1]; /* Count of them */
} NDIS_NDK_CONNECTIONS, *PNDIS_NDK_CONNECTIONS;

typedef struct _NDIS_NDK_LOCAL_ENDPOINT_ENTRY {
    SOCKADDR_INET Local;
    BOOLEAN UserModeOwner;
    BOOLEAN Listener; /* FALSE: a shared endpoint (NDK-STAT-11) */
    ULONG OwnerPid;
} NDIS_NDK_LOCAL_ENDPOINT_ENTRY, *PNDIS_NDK_LOCAL_ENDPOINT_ENTRY;

typedef struct _NDIS_NDK_LOCAL_ENDPOINTS {
    NDIS_OBJECT_HEADER Header;
    ULONG Flags; /* 0 */
    ULONG Count; /* of entries */
    BOOLEAN NDLocalEndpointsMappedtoTCPLocalEndpoints;
    NDIS_NDK_LOCAL_ENDPOINT_ENTRY LocalEndpoints[1]; /* Count of them */
} NDIS_NDK_LOCAL_ENDPOINTS, *PNDIS_NDK_LOCAL_ENDPOINTS;

/* ---- layout ------------------------------------------------------------------------------------------------------ */

OPENND_ASSERT_SIZE(NDIS_OBJECT_HEADER, 4, 2);
OPENND_ASSERT_OFFSET(NDIS_OBJECT_HEADER, Revision, 1);
OPENND_ASSERT_OFFSET(NDIS_OBJECT_HEADER, Size, 2);
OPENND_ASSERT_SIZE(NDIS_NDK_PERFORMANCE_COUNTERS, 240, 8);
OPENND_ASSERT_OFFSET(NDIS_NDK_PERFORMANCE_COUNTERS, Connect, 0x00);
OPENND_ASSERT_OFFSET(NDIS_NDK_PERFORMANCE_COUNTERS, Accept, 0x08);
OPENND_ASSERT_OFFSET(NDIS_NDK_PERFORMANCE_COUNTERS, ConnectFailure, 0x10);
OPENND_ASSERT_OFFSET(NDIS_NDK_PERFORMANCE_COUNTERS, ConnectionError, 0x18);
OPENND_ASSERT_OFFSET(NDIS_NDK_PERFORMANCE_COUNTERS, ActiveConnection, 0x20);
OPENND_ASSERT_OFFSET(NDIS_NDK_PERFORMANCE_COUNTERS, Reserved01, 0x28);
OPENND_ASSERT_OFFSET(NDIS_NDK_PERFORMANCE_COUNTERS, Reserved20, 0xC0);
OPENND_ASSERT_OFFSET(NDIS_NDK_PERFORMANCE_COUNTERS, CQError, 0xC8);
OPENND_ASSERT_OFFSET(NDIS_NDK_PERFORMANCE_COUNTERS, RDMAInOctets, 0xD0);
OPENND_ASSERT_OFFSET(NDIS_NDK_PERFORMANCE_COUNTERS, RDMAOutOctets, 0xD8);
OPENND_ASSERT_OFFSET(NDIS_NDK_PERFORMANCE_COUNTERS, RDMAInFrames, 0xE0);
OPENND_ASSERT_OFFSET(NDIS_NDK_PERFORMANCE_COUNTERS, RDMAOutFrames, 0xE8);
OPENND_ASSERT_SIZE(NDIS_NDK_STATISTICS_INFO, 248, 8);
OPENND_ASSERT_OFFSET(NDIS_NDK_STATISTICS_INFO, Flags, 4);
OPENND_ASSERT_OFFSET(NDIS_NDK_STATISTICS_INFO, CounterSet, 8);
OPENND_ASSERT_SIZE(NDIS_NDK_CAPABILITIES, 0x38, 8);
OPENND_ASSERT_OFFSET(NDIS_NDK_CAPABILITIES, Flags, 0x04);
OPENND_ASSERT_OFFSET(NDIS_NDK_CAPABILITIES, MaxQpCount, 0x08);
OPENND_ASSERT_OFFSET(NDIS_NDK_CAPABILITIES, MaxCqCount, 0x0C);
OPENND_ASSERT_OFFSET(NDIS_NDK_CAPABILITIES, MaxMrCount, 0x10);
OPENND_ASSERT_OFFSET(NDIS_NDK_CAPABILITIES, MaxPdCount, 0x14);
OPENND_ASSERT_OFFSET(NDIS_NDK_CAPABILITIES, MaxInboundReadLimit, 0x18);
OPENND_ASSERT_OFFSET(NDIS_NDK_CAPABILITIES, MaxOutboundReadLimit, 0x1C);
OPENND_ASSERT_OFFSET(NDIS_NDK_CAPABILITIES, MaxMwCount, 0x20);
OPENND_ASSERT_OFFSET(NDIS_NDK_CAPABILITIES, MaxSrqCount, 0x24);
OPENND_ASSERT_OFFSET(NDIS_NDK_CAPABILITIES, MissingCounterMask, 0x28);
OPENND_ASSERT_OFFSET(NDIS_NDK_CAPABILITIES, NdkInfo, 0x30);
OPENND_ASSERT_SIZE(NDIS_NDK_CONNECTION_ENTRY, 64, 4);
OPENND_ASSERT_OFFSET(NDIS_NDK_CONNECTION_ENTRY, Remote, 28);
OPENND_ASSERT_OFFSET(NDIS_NDK_CONNECTION_ENTRY, UserModeOwner, 56);
OPENND_ASSERT_OFFSET(NDIS_NDK_CONNECTION_ENTRY, OwnerPid, 60);
OPENND_ASSERT_SIZE(NDIS_NDK_CONNECTIONS, 16 + 64, 4);
OPENND_ASSERT_OFFSET(NDIS_NDK_CONNECTIONS, Flags, 4);
OPENND_ASSERT_OFFSET(NDIS_NDK_CONNECTIONS, Count, 8);
OPENND_ASSERT_OFFSET(NDIS_NDK_CONNECTIONS, NDConnectionsMappedtoTCPConnections, 12);
OPENND_ASSERT_OFFSET(NDIS_NDK_CONNECTIONS, Connections, 16);
OPENND_ASSERT_SIZE(NDIS_NDK_LOCAL_ENDPOINT_ENTRY, 36, 4);
OPENND_ASSERT_OFFSET(NDIS_NDK_LOCAL_ENDPOINT_ENTRY, UserModeOwner, 28);
OPENND_ASSERT_OFFSET(NDIS_NDK_LOCAL_ENDPOINT_ENTRY, Listener, 29);
OPENND_ASSERT_OFFSET(NDIS_NDK_LOCAL_ENDPOINT_ENTRY, OwnerPid, 32);
OPENND_ASSERT_SIZE(NDIS_NDK_LOCAL_ENDPOINTS, 16 + 36, 4);
OPENND_ASSERT_OFFSET(NDIS_NDK_LOCAL_ENDPOINTS, Flags, 4);
OPENND_ASSERT_OFFSET(NDIS_NDK_LOCAL_ENDPOINTS, Count, 8);
OPENND_ASSERT_OFFSET(NDIS_NDK_LOCAL_ENDPOINTS, NDLocalEndpointsMappedtoTCPLocalEndpoints, 12);
OPENND_ASSERT_OFFSET(NDIS_NDK_LOCAL_ENDPOINTS, LocalEndpoints, 16);

#endif
