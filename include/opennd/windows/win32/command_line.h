/* SPDX-License-Identifier: MIT
 *
 * command_line.h: the program's arguments as one text, as Windows keeps them.
 */
#ifndef OPENND_WINDOWS_COMMAND_LINE_H
#define OPENND_WINDOWS_COMMAND_LINE_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The arguments in one line, with quotation marks and backslashes where CommandLineToArgvW needs them to give the same
 * arguments back. The text belongs to the library, and stays as it is. */
LPSTR WINAPI GetCommandLineA(VOID);
LPWSTR WINAPI GetCommandLineW(VOID);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define GetCommandLine GetCommandLineW
#else
#define GetCommandLine GetCommandLineA
#endif

#endif
