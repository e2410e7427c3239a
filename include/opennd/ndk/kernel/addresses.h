/* SPDX-License-Identifier: MIT
 *
 * addresses.h: IP addresses as text and back. Addresses and ports are in network byte order; the
 * structures are the system's own (NDK-HOST-50).
 */
#ifndef OPENND_KERNEL_ADDRESSES_H
#define OPENND_KERNEL_ADDRESSES_H

#include "../../windows/ws2ipdef.h"
#include "status.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* "a.b.c.d" or "a.b.c.d:port"; without one, *Port is 0. Strict: four parts in decimal; otherwise also fewer parts, in octal
 * and hexadecimal. STATUS_SUCCESS; STATUS_INVALID_PARAMETER: not such text, or a NULL pointer; nothing is stored then. */
NTSTATUS NTAPI RtlIpv4StringToAddressExW(PCWSTR AddressString, BOOLEAN Strict, struct in_addr* Address, PUSHORT Port);

/* "x:x::x", with "%scope" behind it, or "[x:x::x%scope]:port". As above. */
NTSTATUS NTAPI RtlIpv6StringToAddressExW(PCWSTR AddressString, struct in6_addr* Address, PULONG ScopeId, PUSHORT Port);

/* Room for 16 characters, and for 46. The end of the text, where its terminator stands. */
PWSTR NTAPI RtlIpv4AddressToStringW(const struct in_addr* Addr, PWSTR S);
PWSTR NTAPI RtlIpv6AddressToStringW(const struct in6_addr* Addr, PWSTR S);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
