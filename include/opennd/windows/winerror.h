/* SPDX-License-Identifier: MIT
 *
 * winerror.h: error codes of Win32 that these functions set or that programs compare with, and HRESULTs. Each is the
 * code of Windows. ndtypes.h has the HRESULTs that Network Direct itself returns.
 */
#ifndef OPENND_WINDOWS_WINERROR_H
#define OPENND_WINDOWS_WINERROR_H

#include <ndtypes.h>

/* ---- codes of GetLastError --------------------------------------------------------------------------------------- */

#define NO_ERROR 0

#define ERROR_SUCCESS                    0
#define ERROR_INVALID_FUNCTION           1
#define ERROR_FILE_NOT_FOUND             2
#define ERROR_PATH_NOT_FOUND             3
#define ERROR_TOO_MANY_OPEN_FILES        4
#define ERROR_ACCESS_DENIED              5
#define ERROR_INVALID_HANDLE             6
#define ERROR_NOT_ENOUGH_MEMORY          8
#define ERROR_INVALID_DATA               13
#define ERROR_OUTOFMEMORY                14
#define ERROR_NOT_READY                  21
#define ERROR_GEN_FAILURE                31
#define ERROR_SHARING_VIOLATION          32
#define ERROR_HANDLE_EOF                 38
#define ERROR_NOT_SUPPORTED              50
#define ERROR_BAD_NETPATH                53
#define ERROR_DEV_NOT_EXIST              55
#define ERROR_BAD_NET_NAME               67
#define ERROR_FILE_EXISTS                80
#define ERROR_INVALID_PARAMETER          87
#define ERROR_BROKEN_PIPE                109
#define ERROR_BUFFER_OVERFLOW            111
#define ERROR_DISK_FULL                  112
#define ERROR_CALL_NOT_IMPLEMENTED       120
#define ERROR_SEM_TIMEOUT                121
#define ERROR_INSUFFICIENT_BUFFER        122
#define ERROR_INVALID_NAME               123
#define ERROR_MOD_NOT_FOUND              126
#define ERROR_PROC_NOT_FOUND             127
#define ERROR_BUSY                       170
#define ERROR_ALREADY_EXISTS             183
#define ERROR_BAD_EXE_FORMAT             193
#define ERROR_ENVVAR_NOT_FOUND           203
#define ERROR_NO_DATA                    232
#define ERROR_MORE_DATA                  234
#define ERROR_NO_MORE_ITEMS              259
#define ERROR_DIRECTORY                  267
#define ERROR_NOT_OWNER                  288
#define ERROR_MR_MID_NOT_FOUND           317
#define ERROR_INVALID_ADDRESS            487
#define ERROR_ARITHMETIC_OVERFLOW        534
#define ERROR_ABANDONED_WAIT_0           735
#define ERROR_OPERATION_ABORTED          995
#define ERROR_IO_INCOMPLETE              996
#define ERROR_IO_PENDING                 997
#define ERROR_NOACCESS                   998
#define ERROR_INVALID_FLAGS              1004
#define ERROR_FILE_INVALID               1006
#define ERROR_NO_UNICODE_TRANSLATION     1113
#define ERROR_DLL_INIT_FAILED            1114
#define ERROR_MAPPED_ALIGNMENT           1132
#define ERROR_NOT_FOUND                  1168
#define ERROR_CANCELLED                  1223
#define ERROR_CONNECTION_REFUSED         1225
#define ERROR_ADDRESS_ALREADY_ASSOCIATED 1227
#define ERROR_ADDRESS_NOT_ASSOCIATED     1228
#define ERROR_CONNECTION_INVALID         1229
#define ERROR_CONNECTION_ACTIVE          1230
#define ERROR_NETWORK_UNREACHABLE        1231
#define ERROR_HOST_UNREACHABLE           1232
#define ERROR_REQUEST_ABORTED            1235
#define ERROR_CONNECTION_ABORTED         1236
#define ERROR_RETRY                      1237
#define ERROR_PRIVILEGE_NOT_HELD         1314
#define ERROR_NO_SYSTEM_RESOURCES        1450
#define ERROR_TIMEOUT                    1460
#define ERROR_DEVICE_REMOVED             1617
#define ERROR_INVALID_STATE              5023

#define WAIT_TIMEOUT 258

/* ---- codes of WSAGetLastError: Winsock's numbers, not errno ------------------------------------------------------- */

#define WSAEINTR           10004
#define WSAEBADF           10009
#define WSAEACCES          10013
#define WSAEFAULT          10014
#define WSAEINVAL          10022
#define WSAEMFILE          10024
#define WSAEWOULDBLOCK     10035
#define WSAEINPROGRESS     10036
#define WSAEALREADY        10037
#define WSAENOTSOCK        10038
#define WSAEDESTADDRREQ    10039
#define WSAEMSGSIZE        10040
#define WSAEPROTOTYPE      10041
#define WSAENOPROTOOPT     10042
#define WSAEPROTONOSUPPORT 10043
#define WSAESOCKTNOSUPPORT 10044
#define WSAEOPNOTSUPP      10045
#define WSAEPFNOSUPPORT    10046
#define WSAEAFNOSUPPORT    10047
#define WSAEADDRINUSE      10048
#define WSAEADDRNOTAVAIL   10049
#define WSAENETDOWN        10050
#define WSAENETUNREACH     10051
#define WSAENETRESET       10052
#define WSAECONNABORTED    10053
#define WSAECONNRESET      10054
#define WSAENOBUFS         10055
#define WSAEISCONN         10056
#define WSAENOTCONN        10057
#define WSAESHUTDOWN       10058
#define WSAETIMEDOUT       10060
#define WSAECONNREFUSED    10061
#define WSAEHOSTDOWN       10064
#define WSAEHOSTUNREACH    10065
#define WSASYSNOTREADY     10091
#define WSAVERNOTSUPPORTED 10092
#define WSANOTINITIALISED  10093
#define WSAEDISCON         10101
#define WSATYPE_NOT_FOUND  10109
#define WSAHOST_NOT_FOUND  11001
#define WSATRY_AGAIN       11002
#define WSANO_RECOVERY     11003
#define WSANO_DATA         11004

#define WSA_INVALID_HANDLE    ERROR_INVALID_HANDLE
#define WSA_NOT_ENOUGH_MEMORY ERROR_NOT_ENOUGH_MEMORY
#define WSA_INVALID_PARAMETER ERROR_INVALID_PARAMETER
#define WSA_OPERATION_ABORTED ERROR_OPERATION_ABORTED
#define WSA_IO_INCOMPLETE     ERROR_IO_INCOMPLETE
#define WSA_IO_PENDING        ERROR_IO_PENDING

/* ---- HRESULT ----------------------------------------------------------------------------------------------------- */

#define NOERROR 0

#define SEVERITY_SUCCESS 0
#define SEVERITY_ERROR   1
#define FACILITY_NULL    0
#define FACILITY_WIN32   7
#define FACILITY_NT_BIT  0x10000000

#define HRESULT_CODE(hr)     ((hr)&0xFFFF)
#define HRESULT_FACILITY(hr) ((hr) >> 16 & 0x1FFF)
#define HRESULT_SEVERITY(hr) ((DWORD)(hr) >> 31 & 1)
#define IS_ERROR(status)     ((DWORD)(status) >> 31 == SEVERITY_ERROR)
#define MAKE_HRESULT(severity, facility, code) \
    ((HRESULT)((DWORD)(severity) << 31 | (DWORD)(facility) << 16 | (DWORD)(code)))

#define E_ABORT                 ((HRESULT)0x80004004u)
#define E_HANDLE                ((HRESULT)0x80070006u)
#define E_ACCESSDENIED          ((HRESULT)0x80070005u)
#define E_PENDING               ((HRESULT)0x8000000Au)
#define E_NOT_SUFFICIENT_BUFFER HRESULT_FROM_WIN32(ERROR_INSUFFICIENT_BUFFER)
#define E_NOT_VALID_STATE       HRESULT_FROM_WIN32(ERROR_INVALID_STATE)
#define E_BOUNDS                ((HRESULT)0x8000000Bu)
#define CO_E_NOTINITIALIZED     ((HRESULT)0x800401F0u)
#define REGDB_E_CLASSNOTREG     ((HRESULT)0x80040154u)

#endif
