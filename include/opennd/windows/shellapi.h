/* SPDX-License-Identifier: MIT
 *
 * shellapi.h: of the shell's functions the one that takes a command line apart.
 */
#ifndef OPENND_WINDOWS_SHELLAPI_H
#define OPENND_WINDOWS_SHELLAPI_H

#include "windows.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Takes a command line apart into its arguments. The first is the program: up to the next quotation mark if it begins
 * with one, otherwise up to a blank; an empty text, if the line begins with a blank. The others stand between blanks
 * (spaces and tabs), which do not count between quotation marks. 2n backslashes and a quotation mark are n backslashes,
 * and the mark begins or ends the quoted part; 2n + 1 are n backslashes and a quotation mark as text; backslashes in
 * front of anything else are text. A quotation mark that follows the one which ends a quoted part is text, as on
 * Windows. An empty line gives the path of the program.
 *
 * The arguments, NULL behind the last; *pNumArgs is their number. The caller frees all with one LocalFree of the
 * result. NULL: ERROR_INVALID_PARAMETER: a NULL pointer; ERROR_NOT_ENOUGH_MEMORY. */
LPWSTR* WINAPI CommandLineToArgvW(LPCWSTR lpCmdLine, int* pNumArgs);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
