/* SPDX-License-Identifier: MIT
 *
 * opennd_ndk.h: how a process comes by an NDK adapter, in place of NDIS and of Winsock Kernel. A C ABI.
 *
 * An adapter is a network interface with all its addresses, named by its index (if_nametoindex) or one of them. Each
 * open is an instance with a thread of its own, on which its callbacks run; objects of instances of one interface may be
 * used together. The functions may block, and must not be called from a callback. (NDK-HOST-01 to -07)
 */
#ifndef OPENND_OPENND_NDK_H
#define OPENND_OPENND_NDK_H

#include "ndkpi.h"
#include "ndkstatistics.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Which transports an instance may use. 0: as the configuration says. */
#define OPENND_NDK_SOFTWARE_ONLY 0x00000001u
#define OPENND_NDK_VERBS_ONLY    0x00000002u /* RDMA hardware */

/* The index of the first adapter that OPENND_NDK_ADAPTERS adds to those of the interfaces; those behind it have the next ones,
 * and no interface has such a number. (NDK-HOST-05) */
#define OPENND_NDK_FIRST_CONFIGURED 0x4E440000u

/* Opens the adapter of an interface, or one that OPENND_NDK_ADAPTERS adds: "name=address,address;name=address", whose indices
 * count up from OPENND_NDK_FIRST_CONFIGURED. `version`: the major version, and the least minor one; the instance and
 * its objects have the highest minor version of that major one.
 * STATUS_SUCCESS; NDIS_STATUS_BAD_VERSION; NDIS_STATUS_ADAPTER_NOT_FOUND: no such interface, or none with hardware where
 * that alone was asked for; NDIS_STATUS_ADAPTER_NOT_READY: the interface is down or has no address, or
 * NDK is disabled there; STATUS_INVALID_PARAMETER; STATUS_INSUFFICIENT_RESOURCES. */
NTSTATUS opennd_ndk_open_adapter(NDK_VERSION version, NET_IFINDEX if_index, ULONG flags, NDK_ADAPTER** adapter);

/* Opens the adapter of the interface that has this address; its port is ignored, and every 127.0.0.0/8 address is the loopback
 * interface's. As above; STATUS_INVALID_PARAMETER also: not an IPv4 or IPv6 address. */
NTSTATUS opennd_ndk_open_adapter_by_address(NDK_VERSION version, const SOCKADDR* local, ULONG local_length, ULONG flags,
                                            NDK_ADAPTER** adapter);

/* Returns when everything that was made from the adapter is closed and all callbacks have returned; the consumer's code
 * may be unloaded then. The log names objects that are still open. NULL is ignored. A call from a callback, which could
 * never return, ends the process. (NDK-HOST-06, NDK-GEN-16, -24)
 *
 * In a child of fork the parent's objects are dead: this does nothing, and neither does a close of an object; functions
 * with a status return STATUS_DEVICE_REMOVED, others 0. The child opens adapters of its own. (NDK-GEN-18) */
VOID opennd_ndk_close_adapter(NDK_ADAPTER* adapter);

/* One interface. */
typedef struct _OPENND_NDK_ADAPTER_ENTRY {
    NET_IFINDEX if_index;
    NDK_RDMA_TECHNOLOGY technology;
    BOOLEAN hardware; /* FALSE: software transports */
    BOOLEAN enabled;  /* it can be opened */
    USHORT address_count;
    ULONG open_count; /* instances that this process has open */
    CHAR name[64];    /* UTF-8, terminated */
    SOCKADDR_INET addresses[16];
} OPENND_NDK_ADAPTER_ENTRY;

/* Lists the adapters; *count, in: entries there is room for, out: entries there are. STATUS_SUCCESS;
 * STATUS_BUFFER_TOO_SMALL: as many as there was room for were written; STATUS_INVALID_PARAMETER: count is NULL, or
 * entries is and *count is not 0. */
NTSTATUS opennd_ndk_enumerate_adapters(OPENND_NDK_ADAPTER_ENTRY* entries, ULONG* count);

/* Tells which transport a connection took, as opennd_connection_transport of opennd.h: the name, and how bulk data
 * travel. Both texts are cut to fit and always terminated.
 * STATUS_SUCCESS; STATUS_INVALID_PARAMETER: a NULL pointer, a size of 0, or not a connector;
 * STATUS_CONNECTION_INVALID: not connected; STATUS_DEVICE_REMOVED: a parent process's. */
NTSTATUS opennd_ndk_connection_transport(NDK_CONNECTOR* connector, CHAR* name, SIZE_T name_bytes, CHAR* path,
                                         SIZE_T path_bytes);

/* ---- enabling and disabling -------------------------------------------------------------------------------------- */

/* Enables or disables NDK at an interface, for this process; it is enabled in the beginning, unless OPENND_NDK_DISABLED in
 * the environment names the interface. In place of OID_NDK_SET_STATE. (NDK-STAT-20)
 *
 * While it is disabled no adapter is opened there. Registered callbacks run on this thread before the function returns.
 * Instances that are open stay open until they are closed. They work on for OPENND_NDK_GRACE_MS milliseconds (5000); then
 * each is removed (NDK-GEN-15): its connections are aborted, their queue pairs flushed, and their disconnect events have
 * the reason 6; a NdkDisconnect that pends goes on; requests that set up a connection complete with
 * STATUS_DEVICE_REMOVED, and each create, listen, connect and accept returns it from then on; peers that connect are
 * refused. Enabling lets the others go on, and a removed one stays removed.
 *
 * The function does not wait for instances to be closed: a disabling is finished when OPENND_NDK_ADAPTER_ENTRY.open_count
 * is 0. Calls for one interface from several threads take effect one after the other.
 * STATUS_SUCCESS, also without a change, and then without a callback; NDIS_STATUS_ADAPTER_NOT_FOUND: no such interface;
 * STATUS_NOT_SUPPORTED: OPENND_NDK_DISABLED names the interface, and it was to be enabled;
 * STATUS_INVALID_DEVICE_REQUEST: called from a callback of an adapter or an event; STATUS_INSUFFICIENT_RESOURCES. */
NTSTATUS opennd_ndk_set_state(NET_IFINDEX if_index, BOOLEAN enable);

/* Of those that Windows has, the two that concern NDK. */
typedef enum _NET_PNP_EVENT_CODE {
    NetEventNDKEnable = 13, /* adapters can be opened */
    NetEventNDKDisable = 14 /* adapters are to be closed */
} NET_PNP_EVENT_CODE;

/* Called for each change of state, on the thread that makes it, in the order of registration, by one thread at a time for
 * an interface. It may open adapters, close them, register and unregister, but not change a state. It must not wait for a
 * thread that is in opennd_ndk_set_state, or that unregisters it. */
typedef VOID (*OPENND_NDK_FN_ADAPTER_EVENT)(PVOID context, NET_IFINDEX if_index, NET_PNP_EVENT_CODE event);

/* The callback is called for changes that begin after this; opennd_ndk_enumerate_adapters tells the current state.
 * (NDK-STAT-21)
 * STATUS_SUCCESS; NDIS_STATUS_ADAPTER_NOT_FOUND: no such interface; STATUS_INVALID_PARAMETER: callback is NULL;
 * STATUS_INVALID_DEVICE_REQUEST: it is registered there with this context; STATUS_INSUFFICIENT_RESOURCES. */
NTSTATUS opennd_ndk_register_adapter_events(NET_IFINDEX if_index, OPENND_NDK_FN_ADAPTER_EVENT callback, PVOID context);

/* The callback with this context is not called any more, and does not run any more, when this returns: it waits for one
 * that is running, unless it is called from that one itself. Also where the interface is gone.
 * STATUS_SUCCESS; STATUS_INVALID_PARAMETER: it is not registered there; STATUS_INSUFFICIENT_RESOURCES. */
NTSTATUS opennd_ndk_unregister_adapter_events(NET_IFINDEX if_index, OPENND_NDK_FN_ADAPTER_EVENT callback,
                                              PVOID context);

/* ---- about an adapter, without opening it ------------------------------------------------------------------------ */

/* About the activity of this process at the interface, through any of the interfaces of Network Direct (NDK-STAT-01,
 * -30). Each: STATUS_SUCCESS; NDIS_STATUS_ADAPTER_NOT_FOUND: no such interface; STATUS_INVALID_PARAMETER: a pointer is
 * NULL that must not be; STATUS_INSUFFICIENT_RESOURCES; and the statuses beside it. */

/* The counters, while the traffic goes on. Those that count up never go back. (NDK-STAT-01 to -04) */
NTSTATUS opennd_ndk_query_statistics(NET_IFINDEX if_index, NDIS_NDK_STATISTICS_INFO* info);

/* The adapter's limits. `info`, unless it is NULL, is filled as NdkQueryAdapterInfo of version 2.1 does, and
 * capabilities->NdkInfo points there. NDIS_STATUS_ADAPTER_NOT_READY: the interface is down or has no address. */
NTSTATUS opennd_ndk_query_capabilities(NET_IFINDEX if_index, NDIS_NDK_CAPABILITIES* capabilities,
                                       NDK_ADAPTER_INFO* info);

/* The connections that are established. *bytes, in: room of the buffer, out: bytes filled or needed.
 * STATUS_BUFFER_TOO_SMALL: nothing was stored. If one of them is carried by TCP, each takes two entries: behind its own the TCP
 * connection's addresses, or its own once more; the other members of the second are 0. (NDK-STAT-10, -12 to -14) */
NTSTATUS opennd_ndk_query_connections(NET_IFINDEX if_index, NDIS_NDK_CONNECTIONS* buffer, ULONG* bytes);

/* The listeners and shared endpoints, likewise. (NDK-STAT-10 to -12) */
NTSTATUS opennd_ndk_query_local_endpoints(NET_IFINDEX if_index, NDIS_NDK_LOCAL_ENDPOINTS* buffer, ULONG* bytes);

/* TRUE on a thread that runs callbacks, where DISPATCH_LEVEL would be on Windows. */
BOOLEAN opennd_ndk_in_callback(VOID);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
