/* SPDX-License-Identifier: MIT
 *
 * types.h: the rest of Windows' names for types, on top of ndtypes.h. Pointers to everything, text in
 * both widths, times, and the structures that several topics share.
 */
#ifndef OPENND_WINDOWS_TYPES_H
#define OPENND_WINDOWS_TYPES_H

#include <ndtypes.h>

#include "conventions.h"

/* ---- integers ---------------------------------------------------------------------------------------------------- */

typedef float FLOAT;
typedef int32_t LONG32;
typedef uint32_t ULONG32;
typedef uint32_t DWORD32;
typedef uint64_t ULONG64;
typedef uint64_t DWORDLONG;
typedef int HFILE;

typedef CHAR* PCHAR;
typedef UCHAR* PUCHAR;
typedef BYTE* PBYTE;
typedef BYTE* LPBYTE;
typedef BOOLEAN* PBOOLEAN;
typedef SHORT* PSHORT;
typedef USHORT* PUSHORT;
typedef WORD* PWORD;
typedef WORD* LPWORD;
typedef INT* PINT;
typedef INT* LPINT;
typedef UINT* PUINT;
typedef BOOL* PBOOL;
typedef BOOL* LPBOOL;
typedef LONG* PLONG;
typedef LONG* LPLONG;
typedef ULONG* PULONG;
typedef DWORD* PDWORD;
typedef DWORD* LPDWORD;
typedef INT64* PINT64;
typedef UINT32* PUINT32;
typedef UINT64* PUINT64;
typedef LONG64* PLONG64;
typedef ULONG64* PULONG64;
typedef DWORD64* PDWORD64;
typedef LONGLONG* PLONGLONG;
typedef ULONGLONG* PULONGLONG;
typedef DWORDLONG* PDWORDLONG;
typedef SIZE_T* PSIZE_T;
typedef ULONG_PTR* PULONG_PTR;
typedef LONG_PTR* PLONG_PTR;
typedef DWORD_PTR* PDWORD_PTR;
typedef HANDLE* PHANDLE;
typedef HANDLE* LPHANDLE;
typedef GUID* LPGUID;
typedef const GUID* LPCGUID;
typedef GUID UUID;

/* ---- text -------------------------------------------------------------------------------------------------------- */

typedef CHAR* PSTR;
typedef const CHAR* PCSTR;
typedef WCHAR* PWSTR;
typedef WCHAR* PWCHAR;
typedef const CHAR *PCCH, *LPCCH;
typedef WCHAR *PWCH, *LPWCH;
typedef const WCHAR *PCWCH, *LPCWCH, *PCNZWCH;
typedef const CHAR* PCNZCH;

/* Which width a program's own text has is said by UNICODE for these names, and by _UNICODE for those of tchar.h. */
#ifdef UNICODE
typedef WCHAR TCHAR;
#define TEXT(literal) OPENND_WIDE(literal)
#else
typedef CHAR TCHAR;
#define TEXT(literal) literal
#endif
#define OPENND_WIDE(literal)  OPENND_WIDE_(literal)
#define OPENND_WIDE_(literal) L##literal

typedef TCHAR* PTSTR;
typedef TCHAR* LPTSTR;
typedef TCHAR* PTCHAR;
typedef const TCHAR* PCTSTR;
typedef const TCHAR* LPCTSTR;

/* ---- handles ----------------------------------------------------------------------------------------------------- */

/* A type of handles of its own, so that the compiler tells them apart. */
#define DECLARE_HANDLE(name) \
    struct name##__ {        \
        int unused;          \
    };                       \
    typedef struct name##__* name

/* Accepted wherever Windows takes one, and not looked at: nothing here is inherited or named. */
typedef struct _SECURITY_ATTRIBUTES {
    DWORD nLength;
    LPVOID lpSecurityDescriptor;
    BOOL bInheritHandle;
} SECURITY_ATTRIBUTES, *PSECURITY_ATTRIBUTES, *LPSECURITY_ATTRIBUTES;

/* ---- numbers of 64 bits in two halves ---------------------------------------------------------------------------- */

typedef LARGE_INTEGER* PLARGE_INTEGER;

typedef union _ULARGE_INTEGER {
    __extension__ struct {
        DWORD LowPart;
        DWORD HighPart;
    };
    struct {
        DWORD LowPart;
        DWORD HighPart;
    } u;
    ULONGLONG QuadPart;
} ULARGE_INTEGER, *PULARGE_INTEGER;

typedef struct _LUID {
    DWORD LowPart;
    LONG HighPart;
} LUID, *PLUID;

/* Units of 100 ns; as a date, since the beginning of 1601 UTC. */
typedef struct _FILETIME {
    DWORD dwLowDateTime;
    DWORD dwHighDateTime;
} FILETIME, *PFILETIME, *LPFILETIME;

typedef struct _SYSTEMTIME {
    WORD wYear;
    WORD wMonth;     /* 1 to 12 */
    WORD wDayOfWeek; /* 0: Sunday */
    WORD wDay;
    WORD wHour;
    WORD wMinute;
    WORD wSecond;
    WORD wMilliseconds;
} SYSTEMTIME, *PSYSTEMTIME, *LPSYSTEMTIME;

/* ---- lists and processors ---------------------------------------------------------------------------------------- */

/* A link of a ring; the program keeps the ring. */
typedef struct _LIST_ENTRY {
    struct _LIST_ENTRY* Flink;
    struct _LIST_ENTRY* Blink;
} LIST_ENTRY, *PLIST_ENTRY;

typedef GROUP_AFFINITY* PGROUP_AFFINITY;

typedef struct _PROCESSOR_NUMBER {
    WORD Group;
    BYTE Number;
    BYTE Reserved;
} PROCESSOR_NUMBER, *PPROCESSOR_NUMBER;

typedef OVERLAPPED* POVERLAPPED;

#define ANYSIZE_ARRAY 1 /* of arrays that go on behind their structure */

#define MAX_PATH  260
#define _MAX_PATH 260
#define INFINITE  0xFFFFFFFFu

OPENND_ASSERT_SIZE(FILETIME, 8, 4);
OPENND_ASSERT_SIZE(SYSTEMTIME, 16, 2);
OPENND_ASSERT_SIZE(LIST_ENTRY, 16, 8);
OPENND_ASSERT_SIZE(PROCESSOR_NUMBER, 4, 2);

#endif
