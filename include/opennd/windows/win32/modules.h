/* SPDX-License-Identifier: MIT
 *
 * modules.h: shared objects under Windows' names. A module's handle is the loader's own.
 *
 * A path is one of this system; a name without a folder is looked for as dlopen does. Windows' own modules (kernel32,
 * kernelbase, ntdll, ws2_32, iphlpapi, advapi32, ole32, rpcrt4, shell32, with or without .dll, in any case) are this
 * library, which gives those of their functions that it has.
 */
#ifndef OPENND_WINDOWS_MODULES_H
#define OPENND_WINDOWS_MODULES_H

#include "errors.h"
#include "types.h"

/* A pointer to a function without parameters, as on Windows; programs cast it to the function's own type. */
typedef INT_PTR(WINAPI* FARPROC)(void);

/* Flags of LoadLibraryEx with the behaviour that dlopen has anyway. */
#define LOAD_WITH_ALTERED_SEARCH_PATH    0x00000008u
#define LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR 0x00000100u
#define LOAD_LIBRARY_SEARCH_SYSTEM32     0x00000800u
#define LOAD_LIBRARY_SEARCH_DEFAULT_DIRS 0x00001000u

/* The reasons of DllMain's calls. A thread is one of CreateThread. */
#define DLL_PROCESS_DETACH 0
#define DLL_PROCESS_ATTACH 1
#define DLL_THREAD_ATTACH  2
#define DLL_THREAD_DETACH  3

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Loads a module, or takes one more reference to it; FreeLibrary gives it back. The path of the program itself gives the
 * program. NULL: ERROR_MOD_NOT_FOUND: no such file; ERROR_BAD_EXE_FORMAT: it cannot be loaded;
 * ERROR_DLL_INIT_FAILED: its DllMain gave FALSE, and it is unloaded again; ERROR_INVALID_PARAMETER: no name, hFile is not NULL, or other flags. The log has the loader's
 * words (warn). */
HMODULE WINAPI LoadLibraryA(LPCSTR lpLibFileName);
HMODULE WINAPI LoadLibraryW(LPCWSTR lpLibFileName);
HMODULE WINAPI LoadLibraryExA(LPCSTR lpLibFileName, HANDLE hFile, DWORD dwFlags);
HMODULE WINAPI LoadLibraryExW(LPCWSTR lpLibFileName, HANDLE hFile, DWORD dwFlags);

/* TRUE; FALSE and ERROR_INVALID_HANDLE: hLibModule is NULL. */
BOOL WINAPI FreeLibrary(HMODULE hLibModule);

/* DllMain of this module is no longer told of threads. TRUE; FALSE and ERROR_INVALID_HANDLE: not a module. */
BOOL WINAPI DisableThreadLibraryCalls(HMODULE hLibModule);

/* The address of the module's export with this name. NULL: ERROR_PROC_NOT_FOUND, also if hModule is NULL: a function
 * of one of Windows' modules that is not here. Ordinals are not supported: ERROR_PROC_NOT_FOUND. */
FARPROC WINAPI GetProcAddress(HMODULE hModule, LPCSTR lpProcName);

/* A module that is loaded already, without a reference; the program itself for NULL. NULL: ERROR_MOD_NOT_FOUND. */
HMODULE WINAPI GetModuleHandleA(LPCSTR lpModuleName);
HMODULE WINAPI GetModuleHandleW(LPCWSTR lpModuleName);

/* The absolute path of a module; of the program for NULL. The length without its end; 0: ERROR_MOD_NOT_FOUND. Where nSize
 * characters are not enough, the text is cut, ended, and nSize is returned with ERROR_INSUFFICIENT_BUFFER. */
DWORD WINAPI GetModuleFileNameA(HMODULE hModule, LPSTR lpFilename, DWORD nSize);
DWORD WINAPI GetModuleFileNameW(HMODULE hModule, LPWSTR lpFilename, DWORD nSize);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define LoadLibrary       LoadLibraryW
#define LoadLibraryEx     LoadLibraryExW
#define GetModuleHandle   GetModuleHandleW
#define GetModuleFileName GetModuleFileNameW
#else
#define LoadLibrary       LoadLibraryA
#define LoadLibraryEx     LoadLibraryExA
#define GetModuleHandle   GetModuleHandleA
#define GetModuleFileName GetModuleFileNameA
#endif

#endif
