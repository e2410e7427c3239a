/* SPDX-License-Identifier: MIT
 *
 * file_mappings.h: memory that views share: of a file, or of its own.
 */
#ifndef OPENND_WINDOWS_FILE_MAPPINGS_H
#define OPENND_WINDOWS_FILE_MAPPINGS_H

#include "handles.h"
#include "virtual_memory.h"

/* The form in which the memory is there, beside its protection. */
#define SEC_COMMIT 0x08000000u

#define SECTION_QUERY       0x0001u
#define SECTION_MAP_WRITE   0x0002u
#define SECTION_MAP_READ    0x0004u
#define SECTION_MAP_EXECUTE 0x0008u
#define SECTION_EXTEND_SIZE 0x0010u
#define SECTION_ALL_ACCESS  0x000F001Fu

#define FILE_MAP_COPY       0x00000001u
#define FILE_MAP_WRITE      SECTION_MAP_WRITE
#define FILE_MAP_READ       SECTION_MAP_READ
#define FILE_MAP_EXECUTE    0x00000020u
#define FILE_MAP_ALL_ACCESS SECTION_ALL_ACCESS /* FILE_MAP_WRITE, to MapViewOfFile */

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Makes a mapping: of a file of CreateFile, or of zeroed memory (hFile INVALID_HANDLE_VALUE). flProtect: PAGE_READONLY,
 * PAGE_READWRITE, PAGE_WRITECOPY, PAGE_EXECUTE_READ, PAGE_EXECUTE_READWRITE or PAGE_EXECUTE_WRITECOPY, with or without
 * SEC_COMMIT. The size in bytes is in two halves; 0: the file's. A file that is smaller is made larger, if the
 * protection allows to write; its new part is zeroed. lpName must be NULL: mappings are not shared by name, and a child
 * of fork shares its parent's views. The caller owns the handle and closes it with CloseHandle; views outlive it. The
 * last error of success is ERROR_SUCCESS: no mapping was there already.
 *
 * NULL: ERROR_NOT_SUPPORTED: a name, and the log says so; ERROR_INVALID_HANDLE: not a file; ERROR_INVALID_PARAMETER:
 * another protection or form, or memory of 0 bytes; ERROR_FILE_INVALID: an empty file, and size 0; ERROR_ACCESS_DENIED:
 * the file was opened without GENERIC_READ, or to write without GENERIC_WRITE; ERROR_NOT_ENOUGH_MEMORY: none, or larger
 * than a file that may not be written to; ERROR_DISK_FULL: the file cannot be made larger; ERROR_NO_SYSTEM_RESOURCES:
 * no descriptor is left. */
HANDLE WINAPI CreateFileMappingA(HANDLE hFile, LPSECURITY_ATTRIBUTES lpFileMappingAttributes, DWORD flProtect,
                                 DWORD dwMaximumSizeHigh, DWORD dwMaximumSizeLow, LPCSTR lpName);
HANDLE WINAPI CreateFileMappingW(HANDLE hFile, LPSECURITY_ATTRIBUTES lpFileMappingAttributes, DWORD flProtect,
                                 DWORD dwMaximumSizeHigh, DWORD dwMaximumSizeLow, LPCWSTR lpName);

/* Maps bytes of the mapping, from an offset in two halves on; 0 bytes: to its end. dwDesiredAccess: FILE_MAP_READ;
 * FILE_MAP_WRITE, to read and write; FILE_MAP_COPY, to write what nobody else sees; each with or without
 * FILE_MAP_EXECUTE. The offset is a multiple of dwAllocationGranularity of GetSystemInfo, which is a page here and 64
 * KiB on Windows. The caller owns the view and ends it with UnmapViewOfFile.
 *
 * The view's address; NULL: ERROR_INVALID_HANDLE: not a mapping; ERROR_INVALID_PARAMETER: no access that is known;
 * ERROR_MAPPED_ALIGNMENT: not such an offset; ERROR_ACCESS_DENIED: beyond the mapping's end, or its protection does not
 * allow the access; ERROR_NOT_ENOUGH_MEMORY. */
LPVOID WINAPI MapViewOfFile(HANDLE hFileMappingObject, DWORD dwDesiredAccess, DWORD dwFileOffsetHigh,
                            DWORD dwFileOffsetLow, SIZE_T dwNumberOfBytesToMap);

/* The same at lpBaseAddress, a multiple of the same number; NULL: anywhere. ERROR_MAPPED_ALIGNMENT: not such an
 * address; ERROR_INVALID_ADDRESS: something is there already. */
LPVOID WINAPI MapViewOfFileEx(HANDLE hFileMappingObject, DWORD dwDesiredAccess, DWORD dwFileOffsetHigh,
                              DWORD dwFileOffsetLow, SIZE_T dwNumberOfBytesToMap, LPVOID lpBaseAddress);

/* Ends the view that begins there. TRUE; FALSE and ERROR_INVALID_ADDRESS: not the beginning of a view. */
BOOL WINAPI UnmapViewOfFile(LPCVOID lpBaseAddress);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define CreateFileMapping CreateFileMappingW
#else
#define CreateFileMapping CreateFileMappingA
#endif

#endif
