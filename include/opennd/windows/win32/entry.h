/* SPDX-License-Identifier: MIT
 *
 * entry.h: wmain, the entry point whose arguments are wide text (spec section 6.1).
 *
 * Where a program defines wmain, a main comes with it that converts the arguments and calls it: the name is a macro that
 * begins with both. _tmain of tchar.h is wmain in Unicode programs, otherwise main. A program defines wmain once, with
 * both parameters, and does not declare it before.
 */
#ifndef OPENND_WINDOWS_ENTRY_H
#define OPENND_WINDOWS_ENTRY_H

#include <stddef.h>

#include "conventions.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The arguments as wide text, read in the encoding that the environment names, or as UTF-8; NULL behind the last. Lives
 * as long as the process. */
wchar_t** __cdecl opennd_wide_arguments(int argc, char** argv);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#define wmain                                                                                         \
    opennd_wmain(int argc, wchar_t** argv);                                                           \
    int main(int argc, char** argv) { return opennd_wmain(argc, opennd_wide_arguments(argc, argv)); } \
    int opennd_wmain

#endif
