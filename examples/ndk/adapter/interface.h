/* SPDX-License-Identifier: MIT
 *
 * Which network interface an address belongs to, for adapters are opened by the index of one.
 */
#pragma once

#include <netioapi.h>
#include <ntddk.h>

/* STATUS_NOT_FOUND: no interface here has the address. */
NTSTATUS InterfaceOf(const SOCKADDR_INET* Address, NET_IFINDEX* Index);

/* From where, and by which interface, Destination is reached. The port of *Source is 0. */
NTSTATUS InterfaceTowards(const SOCKADDR_INET* Destination, NET_IFINDEX* Index, SOCKADDR_INET* Source);

/* The bytes of the address's own structure. */
ULONG AddressLength(const SOCKADDR_INET* Address);
