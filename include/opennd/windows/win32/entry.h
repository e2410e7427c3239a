/* SPDX-License-Identifier: MIT
 *
 * entry.h: wmain, the entry point with wide arguments, and DllMain, a module's.
 *
 * Where a program defines wmain, a main comes with it that converts the arguments and calls it: the name is a macro that
 * begins with both. _tmain of tchar.h is wmain in Unicode programs, otherwise main. A program defines wmain once, with
 * both parameters, and does not declare it before.
 *
 * Where a module defines DllMain, a constructor comes with it that hands it to this library, which calls it when the module
 * comes and goes: the name is a macro likewise. LoadLibrary calls it behind all constructors of the module, FreeLibrary before
 * all destructors; of a module that comes with the program it is called among its constructors, in the order of linking, and FALSE
 * ends the process. In a program itself it is not called. A module defines DllMain once and does not declare it before.
 */
#ifndef OPENND_WINDOWS_ENTRY_H
#define OPENND_WINDOWS_ENTRY_H

#include <stddef.h>

#include "modules.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The arguments as wide text, read in the encoding that the environment names, or as UTF-8; NULL behind the last. Lives
 * as long as the process. */
wchar_t** __cdecl opennd_wide_arguments(int argc, char** argv);

typedef BOOL(WINAPI* OPENND_DLL_MAIN)(HINSTANCE hinstDLL, DWORD fdwReason, LPVOID lpvReserved);

/* Called when the module that dll_main is in comes, and when it goes. Programs do not call them. */
void __cdecl opennd_module_comes(OPENND_DLL_MAIN dll_main);
void __cdecl opennd_module_goes(OPENND_DLL_MAIN dll_main);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* The words in front of the name, extern "C" and __declspec(dllexport) among them, declare a function that nobody
 * calls. The one that follows is static: each module has its own, which no other module's can take the place of. */
#define DllMain                                                                                                     \
    opennd_dll_main_is_here(HINSTANCE, DWORD, LPVOID);                                                              \
    static BOOL opennd_dll_main(HINSTANCE, DWORD, LPVOID);                                                          \
    static __attribute__((constructor, used)) void opennd_module_begins(void) {                                     \
        opennd_module_comes(opennd_dll_main);                                                                       \
    }                                                                                                               \
    static __attribute__((destructor, used)) void opennd_module_ends(void) { opennd_module_goes(opennd_dll_main); } \
    static BOOL opennd_dll_main

#define wmain                                                                                         \
    opennd_wmain(int argc, wchar_t** argv);                                                           \
    int main(int argc, char** argv) { return opennd_wmain(argc, opennd_wide_arguments(argc, argv)); } \
    int opennd_wmain

#endif
