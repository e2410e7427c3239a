/* SPDX-License-Identifier: MIT
 *
 * ndtypes.h: the Windows types that Network Direct signatures are made of, on 64-bit Linux.
 *
 * Widths are Windows' widths: LONG, ULONG, DWORD, BOOL, HRESULT and NTSTATUS have 32 bits although `long` has 64 here.
 * As in a 64-bit Windows process, all unsigned 64-bit types are one type (`unsigned long`, which is also size_t and
 * uint64_t), so that pointers to SIZE_T, ULONG_PTR and UINT64 mix freely. Read ndcom.h next.
 */
#ifndef OPENND_NDTYPES_H
#define OPENND_NDTYPES_H

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#if !defined(__LP64__)
#error "OpenND: Network Direct structures are laid out for 64-bit Linux (LP64) only"
#endif

#ifdef __cplusplus
#define EXTERN_C extern "C"
#else
#define EXTERN_C extern
#endif

/* ---- integers ---------------------------------------------------------------------------------------------------- */

typedef void VOID;

typedef char CHAR;
typedef wchar_t WCHAR; /* 32 bits here; text never crosses to a Windows peer */
typedef unsigned char BYTE;
typedef unsigned char UCHAR;
typedef BYTE BOOLEAN;
typedef short SHORT;
typedef unsigned short USHORT;
typedef unsigned short WORD;
typedef int INT;
typedef unsigned int UINT;
typedef int BOOL;
typedef int LONG;
typedef unsigned int ULONG;
typedef unsigned int DWORD;

typedef int8_t INT8;
typedef int16_t INT16;
typedef int32_t INT32;
typedef int64_t INT64;
typedef uint8_t UINT8;
typedef uint16_t UINT16;
typedef uint32_t UINT32;
typedef uint64_t UINT64;
typedef int64_t LONG64;
typedef int64_t LONGLONG;
typedef uint64_t DWORD64;
typedef uint64_t ULONGLONG;

typedef long SSIZE_T;
typedef long INT_PTR;
typedef long LONG_PTR;
typedef unsigned long SIZE_T;
typedef unsigned long UINT_PTR;
typedef unsigned long ULONG_PTR;
typedef unsigned long DWORD_PTR;
typedef unsigned long KAFFINITY; /* one bit for each processor of a group */

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

/* ---- pointers and handles ---------------------------------------------------------------------------------------- */

typedef void* PVOID;
typedef void* LPVOID;
typedef const void* LPCVOID;
typedef char* LPSTR;
typedef const char* LPCSTR;
typedef wchar_t* LPWSTR;
typedef const wchar_t* LPCWSTR;
typedef const wchar_t* PCWSTR;

/* Never a raw descriptor, and its two lowest bits are ignored (opennd.h; ND2-OVL-05). */
typedef void* HANDLE;
typedef HANDLE HMODULE;
typedef HANDLE HINSTANCE;

#define INVALID_HANDLE_VALUE ((HANDLE)(LONG_PTR)-1)

/* ---- results ----------------------------------------------------------------------------------------------------- */

typedef LONG HRESULT;
typedef LONG NTSTATUS;

/* Warnings (0x8...) fail; ND_PENDING and ND_TIMEOUT succeed. */
#define SUCCEEDED(hr)      ((HRESULT)(hr) >= 0)
#define FAILED(hr)         ((HRESULT)(hr) < 0)
#define NT_SUCCESS(status) ((NTSTATUS)(status) >= 0)

/* Constant expressions, so that they may label a case; HRESULT_FROM_WIN32 evaluates its argument twice. */
#define HRESULT_FROM_WIN32(error) \
    ((HRESULT)(error) <= 0 ? (HRESULT)(error) : (HRESULT)(0x80070000u | (0xFFFFu & (unsigned int)(error))))
#define HRESULT_FROM_NT(status) ((HRESULT)((unsigned int)(status) | 0x10000000u))

#define S_OK                      ((HRESULT)0)
#define S_FALSE                   ((HRESULT)1)
#define E_NOTIMPL                 ((HRESULT)0x80004001u)
#define E_NOINTERFACE             ((HRESULT)0x80004002u)
#define E_POINTER                 ((HRESULT)0x80004003u)
#define E_FAIL                    ((HRESULT)0x80004005u)
#define E_UNEXPECTED              ((HRESULT)0x8000FFFFu)
#define E_OUTOFMEMORY             ((HRESULT)0x8007000Eu)
#define E_INVALIDARG              ((HRESULT)0x80070057u)
#define CLASS_E_NOAGGREGATION     ((HRESULT)0x80040110u)
#define CLASS_E_CLASSNOTAVAILABLE ((HRESULT)0x80040111u)

/* ---- structures -------------------------------------------------------------------------------------------------- */

/* Names an interface or a class. Host byte order. */
typedef struct _GUID {
    UINT32 Data1;
    UINT16 Data2;
    UINT16 Data3;
    UINT8 Data4[8];
} GUID;

typedef GUID IID;
typedef GUID CLSID;

typedef union _LARGE_INTEGER {
    __extension__ struct {
        ULONG LowPart;
        LONG HighPart;
    };
    struct {
        ULONG LowPart;
        LONG HighPart;
    } u;
    LONGLONG QuadPart;
} LARGE_INTEGER;

/* Processors Group * 64 + n, for each bit n of Mask. */
typedef struct _GROUP_AFFINITY {
    KAFFINITY Mask;
    USHORT Group;
    USHORT Reserved[3];
} GROUP_AFFINITY;

/* One overlapped request. It must stay where it is, and the program must not write to it, from the call that returns
 * ND_PENDING until the request has completed; then it may be used again. */
typedef struct _OVERLAPPED {
    ULONG_PTR Internal;     /* the status: ND_PENDING while in progress, then the final one */
    ULONG_PTR InternalHigh; /* bytes transferred; 0 for every version 2 request */
    __extension__ union {
        __extension__ struct {
            DWORD Offset; /* not used by Network Direct, and left as it is */
            DWORD OffsetHigh;
        };
        PVOID Pointer;
    };
    HANDLE hEvent; /* NULL, or an event that is reset by the request and set by its completion; bit 0: no packet */
} OVERLAPPED, *LPOVERLAPPED;

/* Addresses are the system's own; AF_INET6 is 10 here and 23 on Windows, and never travels. */
typedef sa_family_t ADDRESS_FAMILY;
typedef struct sockaddr SOCKADDR;
typedef struct sockaddr* LPSOCKADDR;
typedef struct sockaddr_in SOCKADDR_IN;
typedef struct sockaddr_in6 SOCKADDR_IN6;
typedef struct sockaddr_storage SOCKADDR_STORAGE;

typedef union _SOCKADDR_INET {
    SOCKADDR_IN Ipv4;
    SOCKADDR_IN6 Ipv6;
    ADDRESS_FAMILY si_family;
} SOCKADDR_INET;

typedef struct _SOCKET_ADDRESS {
    LPSOCKADDR lpSockaddr;
    INT iSockaddrLength; /* bytes */
} SOCKET_ADDRESS, *LPSOCKET_ADDRESS;

/* Followed in the same buffer by the further entries and by the addresses they point to. */
typedef struct _SOCKET_ADDRESS_LIST {
    INT iAddressCount;
    SOCKET_ADDRESS Address[1];
} SOCKET_ADDRESS_LIST, *LPSOCKET_ADDRESS_LIST;

/* ---- layout ------------------------------------------------------------------------------------------------------ */

/* For the layout sections at the end of these headers. */
#ifdef __cplusplus
#define OPENND_ASSERT_SIZE(type, size, alignment) \
    static_assert(sizeof(type) == (size) && alignof(type) == (alignment), "layout of " #type)
#define OPENND_ASSERT_OFFSET(type, field, offset) \
    static_assert(offsetof(type, field) == (offset), "offset of " #type "." #field)
#else
#define OPENND_ASSERT_SIZE(type, size, alignment) \
    _Static_assert(sizeof(type) == (size) && _Alignof(type) == (alignment), "layout of " #type)
#define OPENND_ASSERT_OFFSET(type, field, offset) \
    _Static_assert(offsetof(type, field) == (offset), "offset of " #type "." #field)
#endif

OPENND_ASSERT_SIZE(BOOLEAN, 1, 1);
OPENND_ASSERT_SIZE(USHORT, 2, 2);
OPENND_ASSERT_SIZE(BOOL, 4, 4);
OPENND_ASSERT_SIZE(LONG, 4, 4);
OPENND_ASSERT_SIZE(ULONG, 4, 4);
OPENND_ASSERT_SIZE(DWORD, 4, 4);
OPENND_ASSERT_SIZE(HRESULT, 4, 4);
OPENND_ASSERT_SIZE(NTSTATUS, 4, 4);
OPENND_ASSERT_SIZE(UINT64, 8, 8);
OPENND_ASSERT_SIZE(SIZE_T, 8, 8);
OPENND_ASSERT_SIZE(ULONG_PTR, 8, 8);
OPENND_ASSERT_SIZE(KAFFINITY, 8, 8);
OPENND_ASSERT_SIZE(HANDLE, 8, 8);

OPENND_ASSERT_SIZE(GUID, 16, 4);
OPENND_ASSERT_OFFSET(GUID, Data1, 0);
OPENND_ASSERT_OFFSET(GUID, Data2, 4);
OPENND_ASSERT_OFFSET(GUID, Data3, 6);
OPENND_ASSERT_OFFSET(GUID, Data4, 8);

OPENND_ASSERT_SIZE(LARGE_INTEGER, 8, 8);
OPENND_ASSERT_OFFSET(LARGE_INTEGER, LowPart, 0);
OPENND_ASSERT_OFFSET(LARGE_INTEGER, HighPart, 4);
OPENND_ASSERT_OFFSET(LARGE_INTEGER, QuadPart, 0);

OPENND_ASSERT_SIZE(GROUP_AFFINITY, 0x10, 8);
OPENND_ASSERT_OFFSET(GROUP_AFFINITY, Mask, 0x00);
OPENND_ASSERT_OFFSET(GROUP_AFFINITY, Group, 0x08);
OPENND_ASSERT_OFFSET(GROUP_AFFINITY, Reserved, 0x0A);

OPENND_ASSERT_SIZE(OVERLAPPED, 32, 8);
OPENND_ASSERT_OFFSET(OVERLAPPED, Internal, 0);
OPENND_ASSERT_OFFSET(OVERLAPPED, InternalHigh, 8);
OPENND_ASSERT_OFFSET(OVERLAPPED, Offset, 16);
OPENND_ASSERT_OFFSET(OVERLAPPED, Pointer, 16);
OPENND_ASSERT_OFFSET(OVERLAPPED, OffsetHigh, 20);
OPENND_ASSERT_OFFSET(OVERLAPPED, hEvent, 24);

OPENND_ASSERT_SIZE(SOCKADDR_IN, 16, 4);
OPENND_ASSERT_SIZE(SOCKADDR_IN6, 28, 4);
OPENND_ASSERT_SIZE(SOCKADDR_INET, 28, 4);
OPENND_ASSERT_OFFSET(SOCKADDR_INET, Ipv4, 0);
OPENND_ASSERT_OFFSET(SOCKADDR_INET, Ipv6, 0);
OPENND_ASSERT_OFFSET(SOCKADDR_INET, si_family, 0);

OPENND_ASSERT_SIZE(SOCKET_ADDRESS, 16, 8);
OPENND_ASSERT_OFFSET(SOCKET_ADDRESS, lpSockaddr, 0);
OPENND_ASSERT_OFFSET(SOCKET_ADDRESS, iSockaddrLength, 8);
OPENND_ASSERT_SIZE(SOCKET_ADDRESS_LIST, 24, 8);
OPENND_ASSERT_OFFSET(SOCKET_ADDRESS_LIST, iAddressCount, 0);
OPENND_ASSERT_OFFSET(SOCKET_ADDRESS_LIST, Address, 8);

#endif
