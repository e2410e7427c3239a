/* SPDX-License-Identifier: MIT
 *
 * threads.h: threads, their processors, and giving up a processor.
 */
#ifndef OPENND_WINDOWS_THREADS_H
#define OPENND_WINDOWS_THREADS_H

#include "handles.h"

typedef DWORD(WINAPI* LPTHREAD_START_ROUTINE)(LPVOID lpThreadParameter);
typedef LPTHREAD_START_ROUTINE PTHREAD_START_ROUTINE;
typedef VOID(NTAPI* PAPCFUNC)(ULONG_PTR Parameter);

#define STILL_ACTIVE                      259
#define STACK_SIZE_PARAM_IS_A_RESERVATION 0x00010000
#define ALL_PROCESSOR_GROUPS              0xFFFFu

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Starts a thread. dwStackSize: bytes, 0 for the default. dwCreationFlags: 0 or STACK_SIZE_PARAM_IS_A_RESERVATION; a
 * thread cannot be made suspended. The caller owns the handle, which is signalled when the thread ends and may be
 * closed while it runs. *lpThreadId (NULL: not wanted) equals GetCurrentThreadId in the thread. NULL:
 * ERROR_INVALID_PARAMETER: lpStartAddress is NULL, or other flags; ERROR_NO_SYSTEM_RESOURCES. */
HANDLE WINAPI CreateThread(LPSECURITY_ATTRIBUTES lpThreadAttributes, SIZE_T dwStackSize,
                           LPTHREAD_START_ROUTINE lpStartAddress, LPVOID lpParameter, DWORD dwCreationFlags,
                           LPDWORD lpThreadId);

/* Ends the calling thread. In a thread that CreateThread did not start, dwExitCode is lost. */
DECLSPEC_NORETURN VOID WINAPI ExitThread(DWORD dwExitCode);

/* The exit code of a thread, or STILL_ACTIVE. TRUE; FALSE and ERROR_INVALID_HANDLE: not a thread of CreateThread. */
BOOL WINAPI GetExitCodeThread(HANDLE hThread, LPDWORD lpExitCode);

/* A value that stands for the calling thread where a function asks for one; not to be closed, waited for or copied. */
HANDLE WINAPI GetCurrentThread(VOID);
/* The number that the system gives the thread (gettid). */
DWORD WINAPI GetCurrentThreadId(VOID);

/* Sleeps; 0 yields the processor, INFINITE never returns. */
VOID WINAPI Sleep(DWORD dwMilliseconds);

/* The same; with bAlertable the sleep ends early for calls that are queued to the thread (events.h says which), and
 * makes them. 0: the time is over; WAIT_IO_COMPLETION: calls were made. */
DWORD WINAPI SleepEx(DWORD dwMilliseconds, BOOL bAlertable);

/* Queues a call of pfnAPC(dwData) to a thread, which makes it in its next alertable wait, or before its routine if it
 * has not begun. Calls are made in the order in which they were queued. Not 0; 0: ERROR_INVALID_PARAMETER: pfnAPC is
 * NULL; ERROR_INVALID_HANDLE: neither a thread of CreateThread nor GetCurrentThread; ERROR_GEN_FAILURE: the thread has
 * ended; ERROR_NOT_ENOUGH_MEMORY. */
DWORD WINAPI QueueUserAPC(PAPCFUNC pfnAPC, HANDLE hThread, ULONG_PTR dwData);

/* Yields the processor. TRUE: another thread may have run. */
BOOL WINAPI SwitchToThread(VOID);

/* Lets a thread run on the processors of the mask only, which are those of group 0. The mask before; 0:
 * ERROR_INVALID_PARAMETER: none of these processors is there; ERROR_INVALID_HANDLE. */
DWORD_PTR WINAPI SetThreadAffinityMask(HANDLE hThread, DWORD_PTR dwThreadAffinityMask);

/* The same for any group of 64 processors; *PreviousGroupAffinity (NULL: not wanted) is the affinity before, of the
 * first group that has any. TRUE; FALSE and the codes of SetThreadAffinityMask. */
BOOL WINAPI SetThreadGroupAffinity(HANDLE hThread, const GROUP_AFFINITY* GroupAffinity,
                                   PGROUP_AFFINITY PreviousGroupAffinity);

/* The processor that the calling thread runs on; of 64 and more, the number within its group. */
DWORD WINAPI GetCurrentProcessorNumber(VOID);
VOID WINAPI GetCurrentProcessorNumberEx(PPROCESSOR_NUMBER ProcNumber);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#if defined(__x86_64__)
#define YieldProcessor() __builtin_ia32_pause()
#else
#define YieldProcessor() __asm__ volatile("isb" ::: "memory")
#endif

#endif
