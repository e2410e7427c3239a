/* SPDX-License-Identifier: MIT
 *
 * process.h: threads by the C library's names. The same threads as those of CreateThread.
 */
#ifndef OPENND_WINDOWS_PROCESS_H
#define OPENND_WINDOWS_PROCESS_H

#include "win32/threads.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* CreateThread with other types. The handle, to be closed with CloseHandle, or 0. */
uintptr_t __cdecl _beginthreadex(void* security, unsigned stack_size, unsigned(WINAPI* start_address)(void*),
                                 void* arglist, unsigned initflag, unsigned* thrdaddr);

/* ExitThread. */
DECLSPEC_NORETURN void __cdecl _endthreadex(unsigned retval);

int __cdecl _getpid(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
