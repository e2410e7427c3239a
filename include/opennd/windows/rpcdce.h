/* SPDX-License-Identifier: MIT
 *
 * rpcdce.h: comparing and making UUIDs. NULL stands for the UUID of nothing.
 */
#ifndef OPENND_WINDOWS_RPCDCE_H
#define OPENND_WINDOWS_RPCDCE_H

#include "win32/types.h"

#define RPC_ENTRY WINAPI

typedef LONG RPC_STATUS;

#define RPC_S_OK 0

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* -1, 0 or 1: by the first number in which they differ, then byte by byte. *Status (here it may be NULL) is RPC_S_OK. */
int WINAPI UuidCompare(UUID* Uuid1, UUID* Uuid2, RPC_STATUS* Status);

/* TRUE; FALSE. */
int WINAPI UuidEqual(UUID* Uuid1, UUID* Uuid2, RPC_STATUS* Status);
int WINAPI UuidIsNil(UUID* Uuid, RPC_STATUS* Status);

/* A number to find the UUID by: equal ones have equal numbers. */
unsigned short WINAPI UuidHash(UUID* Uuid, RPC_STATUS* Status);

/* A unique UUID of random bits (RFC 9562, version 4); or the UUID of nothing. RPC_S_OK. */
RPC_STATUS WINAPI UuidCreate(UUID* Uuid);
RPC_STATUS WINAPI UuidCreateNil(UUID* NilUuid);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
