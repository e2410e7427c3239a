/* SPDX-License-Identifier: MIT
 *
 * errors.h: the last error of the calling thread. winerror.h has the codes, messages.h the texts.
 */
#ifndef OPENND_WINDOWS_ERRORS_H
#define OPENND_WINDOWS_ERRORS_H

#include "../winerror.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The code that the last failing function left in this thread. A function that succeeds leaves it alone. */
DWORD WINAPI GetLastError(VOID);

/* Leaves a code in this thread; 0 forgets. WSAGetLastError and WSASetLastError share it. */
VOID WINAPI SetLastError(DWORD dwErrCode);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
