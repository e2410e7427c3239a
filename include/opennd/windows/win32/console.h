/* SPDX-License-Identifier: MIT
 *
 * console.h: the keys and events that end a program of the console. Signals of the system stand for them.
 */
#ifndef OPENND_WINDOWS_CONSOLE_H
#define OPENND_WINDOWS_CONSOLE_H

#include "errors.h"
#include "types.h"

#define CTRL_C_EVENT        0 /* SIGINT: Ctrl-C */
#define CTRL_BREAK_EVENT    1 /* SIGQUIT: Ctrl-\ */
#define CTRL_CLOSE_EVENT    2 /* SIGHUP: the terminal was closed */
#define CTRL_LOGOFF_EVENT   5 /* never comes */
#define CTRL_SHUTDOWN_EVENT 6 /* SIGTERM: the system, or its service manager, asks the program to end */

typedef BOOL(WINAPI* PHANDLER_ROUTINE)(DWORD CtrlType);

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Adds a function that is told of the events above, or with Add FALSE removes the one added last. For each event a new
 * thread calls the functions, the one added last first, until one gives TRUE. If none does, or the event is neither
 * CTRL_C_EVENT nor CTRL_BREAK_EVENT, the process then ends, as the signal ends it without these functions: by the
 * action that was in force before. A function has as long as it takes. The first function takes the signals from their
 * previous actions, and the last one that is removed gives them back.
 *
 * HandlerRoutine NULL: with Add TRUE this process, and those that it starts, ignore SIGINT; with FALSE no more. TRUE;
 * FALSE. ERROR_INVALID_PARAMETER: a function to remove that was not added; ERROR_NO_SYSTEM_RESOURCES: no descriptor or
 * thread is left; ERROR_NOT_ENOUGH_MEMORY. */
BOOL WINAPI SetConsoleCtrlHandler(PHANDLER_ROUTINE HandlerRoutine, BOOL Add);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
