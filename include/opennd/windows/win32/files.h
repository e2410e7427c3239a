/* SPDX-License-Identifier: MIT
 *
 * files.h: files under Windows' names, as far as programs compare and log with them. Paths are this system's. A file is
 * read and written at its own position, and each call waits until it is done; one that is opened with
 * FILE_FLAG_OVERLAPPED by ReadFileEx and WriteFileEx alone, which do not wait.
 */
#ifndef OPENND_WINDOWS_FILES_H
#define OPENND_WINDOWS_FILES_H

#include "handles.h"
#include "ports.h"

#define GENERIC_READ  0x80000000u
#define GENERIC_WRITE 0x40000000u

#define FILE_READ_ATTRIBUTES 0x00000080u

#define FILE_SHARE_READ   0x00000001u
#define FILE_SHARE_WRITE  0x00000002u
#define FILE_SHARE_DELETE 0x00000004u

#define CREATE_NEW        1
#define CREATE_ALWAYS     2
#define OPEN_EXISTING     3
#define OPEN_ALWAYS       4
#define TRUNCATE_EXISTING 5

#define FILE_ATTRIBUTE_READONLY    0x00000001u
#define FILE_ATTRIBUTE_DIRECTORY   0x00000010u
#define FILE_ATTRIBUTE_NORMAL      0x00000080u
#define FILE_FLAG_SEQUENTIAL_SCAN  0x08000000u
#define FILE_FLAG_OVERLAPPED       0x40000000u
#define FILE_FLAG_BACKUP_SEMANTICS 0x02000000u

#define INVALID_FILE_ATTRIBUTES 0xFFFFFFFFu

/* Two handles are of one file if volume and index are equal. */
typedef struct _BY_HANDLE_FILE_INFORMATION {
    DWORD dwFileAttributes;
    FILETIME ftCreationTime; /* of the last change of anything: the system keeps no other that all file systems have */
    FILETIME ftLastAccessTime;
    FILETIME ftLastWriteTime;
    DWORD dwVolumeSerialNumber;
    DWORD nFileSizeHigh;
    DWORD nFileSizeLow;
    DWORD nNumberOfLinks;
    DWORD nFileIndexHigh;
    DWORD nFileIndexLow;
} BY_HANDLE_FILE_INFORMATION, *PBY_HANDLE_FILE_INFORMATION, *LPBY_HANDLE_FILE_INFORMATION;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Opens or makes a file. Access 0 is enough to ask about it. Sharing and attributes have no effect, nor have security
 * attributes. The caller owns the handle and closes it with CloseHandle. With CREATE_ALWAYS and OPEN_ALWAYS the last error
 * is ERROR_ALREADY_EXISTS where the file was there, and otherwise ERROR_SUCCESS. INVALID_HANDLE_VALUE: ERROR_FILE_NOT_FOUND,
 * ERROR_PATH_NOT_FOUND, ERROR_ACCESS_DENIED, ERROR_FILE_EXISTS; ERROR_INVALID_PARAMETER: no name, a template, other
 * flags. */
HANDLE WINAPI CreateFileA(LPCSTR lpFileName, DWORD dwDesiredAccess, DWORD dwShareMode,
                          LPSECURITY_ATTRIBUTES lpSecurityAttributes, DWORD dwCreationDisposition,
                          DWORD dwFlagsAndAttributes, HANDLE hTemplateFile);
HANDLE WINAPI CreateFileW(LPCWSTR lpFileName, DWORD dwDesiredAccess, DWORD dwShareMode,
                          LPSECURITY_ATTRIBUTES lpSecurityAttributes, DWORD dwCreationDisposition,
                          DWORD dwFlagsAndAttributes, HANDLE hTemplateFile);

/* FILE_ATTRIBUTE_DIRECTORY or FILE_ATTRIBUTE_NORMAL; INVALID_FILE_ATTRIBUTES: ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND,
 * ERROR_ACCESS_DENIED; ERROR_INVALID_PARAMETER: no name. */
DWORD WINAPI GetFileAttributesA(LPCSTR lpFileName);
DWORD WINAPI GetFileAttributesW(LPCWSTR lpFileName);

/* TRUE; FALSE and ERROR_INVALID_HANDLE: not a file of CreateFile. */
BOOL WINAPI GetFileInformationByHandle(HANDLE hFile, LPBY_HANDLE_FILE_INFORMATION lpFileInformation);

/* The size in bytes. TRUE; FALSE: ERROR_INVALID_HANDLE: not a file of CreateFile; ERROR_INVALID_PARAMETER: no place. */
BOOL WINAPI GetFileSizeEx(HANDLE hFile, PLARGE_INTEGER lpFileSize);

/* TRUE; at the end of a file with 0 bytes. FALSE: ERROR_INVALID_HANDLE; ERROR_INVALID_PARAMETER: lpOverlapped is not
 * NULL, or there is no place for the count, or the file is opened with FILE_FLAG_OVERLAPPED; ERROR_ACCESS_DENIED:
 * opened without that access. */
BOOL WINAPI ReadFile(HANDLE hFile, LPVOID lpBuffer, DWORD nNumberOfBytesToRead, LPDWORD lpNumberOfBytesRead,
                     LPOVERLAPPED lpOverlapped);
BOOL WINAPI WriteFile(HANDLE hFile, LPCVOID lpBuffer, DWORD nNumberOfBytesToWrite, LPDWORD lpNumberOfBytesWritten,
                      LPOVERLAPPED lpOverlapped);

/* Reads from, or writes to, a file opened with FILE_FLAG_OVERLAPPED, at the place in Offset and OffsetHigh; a pipe or a
 * terminal has no places. A write at 0xFFFFFFFF in both appends. The request is carried out by another thread, and its
 * completion is queued to the calling one, which calls lpCompletionRoutine in an alertable wait (events.h): with 0 and
 * the bytes moved, or with the error and 0 bytes; ERROR_HANDLE_EOF: a read at the end of the file. Buffer and
 * OVERLAPPED must stay until then; hEvent is the program's. GetOverlappedResult tells the same from the OVERLAPPED.
 *
 * A request goes on when its handle is closed or its thread ends; the routine of a thread that has ended is not called.
 * TRUE, and the last error is ERROR_SUCCESS; FALSE: ERROR_INVALID_HANDLE: not a file of CreateFile;
 * ERROR_INVALID_PARAMETER: opened without FILE_FLAG_OVERLAPPED, or lpOverlapped or lpCompletionRoutine is NULL;
 * ERROR_ACCESS_DENIED: opened without that access; ERROR_NOT_ENOUGH_MEMORY; ERROR_NO_SYSTEM_RESOURCES: no thread is
 * left. */
BOOL WINAPI ReadFileEx(HANDLE hFile, LPVOID lpBuffer, DWORD nNumberOfBytesToRead, LPOVERLAPPED lpOverlapped,
                       LPOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine);
BOOL WINAPI WriteFileEx(HANDLE hFile, LPCVOID lpBuffer, DWORD nNumberOfBytesToWrite, LPOVERLAPPED lpOverlapped,
                        LPOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define CreateFile        CreateFileW
#define GetFileAttributes GetFileAttributesW
#else
#define CreateFile        CreateFileA
#define GetFileAttributes GetFileAttributesA
#endif

#endif
