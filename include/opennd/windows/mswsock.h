/* SPDX-License-Identifier: MIT
 *
 * mswsock.h: Winsock's extensions, as names: the types of their functions, so that programs which keep pointers to them
 * compile.
 *
 * None of the functions is here. A program on Windows asks WSAIoctl for them, with SIO_GET_EXTENSION_FUNCTION_POINTER
 * and an identifier below, or with SIO_GET_MULTIPLE_EXTENSION_FUNCTION_POINTER and WSAID_MULTIPLE_RIO; here that gives
 * SOCKET_ERROR and WSAEOPNOTSUPP, and the program goes its way without them. They are not declared as functions, so
 * that a direct call does not compile.
 */
#ifndef OPENND_WINDOWS_MSWSOCK_H
#define OPENND_WINDOWS_MSWSOCK_H

#include "winsock2.h"

#define SIO_GET_EXTENSION_FUNCTION_POINTER          _WSAIORW(IOC_WS2, 6)
#define SIO_GET_MULTIPLE_EXTENSION_FUNCTION_POINTER _WSAIORW(IOC_WS2, 36)

/* ---- accepting, connecting and sending with an OVERLAPPED
 * --------------------------------------------------------- */

/* clang-format off */
#define WSAID_TRANSMITFILE         {0xb5367df0, 0xcbac, 0x11cf, {0x95, 0xca, 0x00, 0x80, 0x5f, 0x48, 0xa1, 0x92}}
#define WSAID_ACCEPTEX             {0xb5367df1, 0xcbac, 0x11cf, {0x95, 0xca, 0x00, 0x80, 0x5f, 0x48, 0xa1, 0x92}}
#define WSAID_GETACCEPTEXSOCKADDRS {0xb5367df2, 0xcbac, 0x11cf, {0x95, 0xca, 0x00, 0x80, 0x5f, 0x48, 0xa1, 0x92}}
#define WSAID_TRANSMITPACKETS      {0xd9689da0, 0x1f90, 0x11d3, {0x99, 0x71, 0x00, 0xc0, 0x4f, 0x68, 0xc8, 0x76}}
#define WSAID_CONNECTEX            {0x25a207b9, 0xddf3, 0x4660, {0x8e, 0xe9, 0x76, 0xe5, 0x8c, 0x74, 0x06, 0x3e}}
#define WSAID_DISCONNECTEX         {0x7fda2e11, 0x8630, 0x436f, {0xa0, 0x31, 0xf5, 0x36, 0xa6, 0xee, 0xc1, 0x57}}
#define WSAID_WSARECVMSG           {0xf689d7c8, 0x6f1f, 0x436b, {0x8a, 0x53, 0xe5, 0x4f, 0xe3, 0x51, 0xc3, 0x22}}
#define WSAID_WSASENDMSG           {0xa441e712, 0x754f, 0x43ca, {0x84, 0xa7, 0x0d, 0xee, 0x44, 0xcf, 0x60, 0x6d}}
#define WSAID_MULTIPLE_RIO         {0x8509e081, 0x96dd, 0x4005, {0xb1, 0x65, 0x9e, 0x2e, 0xe8, 0xc7, 0x9e, 0x3f}}
/* clang-format on */

#define TF_DISCONNECT   0x01
#define TF_REUSE_SOCKET 0x02
#define DE_REUSE_SOCKET TF_REUSE_SOCKET

typedef struct _TRANSMIT_FILE_BUFFERS {
    LPVOID Head;
    DWORD HeadLength;
    LPVOID Tail;
    DWORD TailLength;
} TRANSMIT_FILE_BUFFERS, *PTRANSMIT_FILE_BUFFERS, *LPTRANSMIT_FILE_BUFFERS;

typedef struct _TRANSMIT_PACKETS_ELEMENT {
    ULONG dwElFlags;
    ULONG cLength;
    __extension__ union {
        __extension__ struct {
            LARGE_INTEGER nFileOffset;
            HANDLE hFile;
        };
        PVOID pBuffer;
    };
} TRANSMIT_PACKETS_ELEMENT, *PTRANSMIT_PACKETS_ELEMENT, *LPTRANSMIT_PACKETS_ELEMENT;

typedef BOOL(PASCAL* LPFN_ACCEPTEX)(SOCKET sListenSocket, SOCKET sAcceptSocket, PVOID lpOutputBuffer,
                                    DWORD dwReceiveDataLength, DWORD dwLocalAddressLength, DWORD dwRemoteAddressLength,
                                    LPDWORD lpdwBytesReceived, LPOVERLAPPED lpOverlapped);
typedef VOID(PASCAL* LPFN_GETACCEPTEXSOCKADDRS)(PVOID lpOutputBuffer, DWORD dwReceiveDataLength,
                                                DWORD dwLocalAddressLength, DWORD dwRemoteAddressLength,
                                                struct sockaddr** LocalSockaddr, LPINT LocalSockaddrLength,
                                                struct sockaddr** RemoteSockaddr, LPINT RemoteSockaddrLength);
typedef BOOL(PASCAL* LPFN_CONNECTEX)(SOCKET s, const struct sockaddr* name, int namelen, PVOID lpSendBuffer,
                                     DWORD dwSendDataLength, LPDWORD lpdwBytesSent, LPOVERLAPPED lpOverlapped);
typedef BOOL(PASCAL* LPFN_DISCONNECTEX)(SOCKET s, LPOVERLAPPED lpOverlapped, DWORD dwFlags, DWORD dwReserved);
typedef BOOL(PASCAL* LPFN_TRANSMITFILE)(SOCKET hSocket, HANDLE hFile, DWORD nNumberOfBytesToWrite,
                                        DWORD nNumberOfBytesPerSend, LPOVERLAPPED lpOverlapped,
                                        LPTRANSMIT_FILE_BUFFERS lpTransmitBuffers, DWORD dwReserved);
typedef BOOL(PASCAL* LPFN_TRANSMITPACKETS)(SOCKET hSocket, LPTRANSMIT_PACKETS_ELEMENT lpPacketArray,
                                           DWORD nElementCount, DWORD nSendSize, LPOVERLAPPED lpOverlapped,
                                           DWORD dwFlags);
typedef INT(PASCAL* LPFN_WSARECVMSG)(SOCKET s, LPWSAMSG lpMsg, LPDWORD lpdwNumberOfBytesRecvd,
                                     LPWSAOVERLAPPED lpOverlapped,
                                     LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine);
typedef INT(PASCAL* LPFN_WSASENDMSG)(SOCKET s, LPWSAMSG lpMsg, DWORD dwFlags, LPDWORD lpNumberOfBytesSent,
                                     LPWSAOVERLAPPED lpOverlapped,
                                     LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine);

/* ---- registered I/O ---------------------------------------------------------------------------------------------- */

typedef struct RIO_BUFFERID_t *RIO_BUFFERID, **PRIO_BUFFERID;
typedef struct RIO_CQ_t *RIO_CQ, **PRIO_CQ;
typedef struct RIO_RQ_t *RIO_RQ, **PRIO_RQ;

#define RIO_INVALID_BUFFERID ((RIO_BUFFERID)(ULONG_PTR)0xFFFFFFFFu)
#define RIO_INVALID_CQ       ((RIO_CQ)0)
#define RIO_INVALID_RQ       ((RIO_RQ)0)
#define RIO_MAX_CQ_SIZE      0x08000000
#define RIO_CORRUPT_CQ       0xFFFFFFFFu

#define RIO_MSG_DONT_NOTIFY 0x1
#define RIO_MSG_DEFER       0x2
#define RIO_MSG_WAITALL     0x4
#define RIO_MSG_COMMIT_ONLY 0x8

typedef struct _RIORESULT {
    LONG Status;
    ULONG BytesTransferred;
    ULONGLONG SocketContext;
    ULONGLONG RequestContext;
} RIORESULT, *PRIORESULT;
OPENND_ASSERT_SIZE(RIORESULT, 24, 8);

/* A part of a registered buffer. */
typedef struct _RIO_BUF {
    RIO_BUFFERID BufferId;
    ULONG Offset;
    ULONG Length;
} RIO_BUF, *PRIO_BUF;
OPENND_ASSERT_SIZE(RIO_BUF, 16, 8);

typedef struct _RIO_CMSG_BUFFER {
    ULONG TotalLength;
} RIO_CMSG_BUFFER, *PRIO_CMSG_BUFFER;

typedef enum _RIO_NOTIFICATION_COMPLETION_TYPE {
    RIO_EVENT_COMPLETION = 1,
    RIO_IOCP_COMPLETION = 2
} RIO_NOTIFICATION_COMPLETION_TYPE,
    *PRIO_NOTIFICATION_COMPLETION_TYPE;

typedef struct _RIO_NOTIFICATION_COMPLETION {
    RIO_NOTIFICATION_COMPLETION_TYPE Type;
    __extension__ union {
        struct {
            HANDLE EventHandle;
            BOOL NotifyReset;
        } Event;
        struct {
            HANDLE IocpHandle;
            PVOID CompletionKey;
            PVOID Overlapped;
        } Iocp;
    };
} RIO_NOTIFICATION_COMPLETION, *PRIO_NOTIFICATION_COMPLETION;
OPENND_ASSERT_SIZE(RIO_NOTIFICATION_COMPLETION, 32, 8);

typedef BOOL(PASCAL* LPFN_RIORECEIVE)(RIO_RQ SocketQueue, PRIO_BUF pData, ULONG DataBufferCount, DWORD Flags,
                                      PVOID RequestContext);
typedef int(PASCAL* LPFN_RIORECEIVEEX)(RIO_RQ SocketQueue, PRIO_BUF pData, ULONG DataBufferCount,
                                       PRIO_BUF pLocalAddress, PRIO_BUF pRemoteAddress, PRIO_BUF pControlContext,
                                       PRIO_BUF pFlags, DWORD Flags, PVOID RequestContext);
typedef BOOL(PASCAL* LPFN_RIOSEND)(RIO_RQ SocketQueue, PRIO_BUF pData, ULONG DataBufferCount, DWORD Flags,
                                   PVOID RequestContext);
typedef BOOL(PASCAL* LPFN_RIOSENDEX)(RIO_RQ SocketQueue, PRIO_BUF pData, ULONG DataBufferCount, PRIO_BUF pLocalAddress,
                                     PRIO_BUF pRemoteAddress, PRIO_BUF pControlContext, PRIO_BUF pFlags, DWORD Flags,
                                     PVOID RequestContext);
typedef VOID(PASCAL* LPFN_RIOCLOSECOMPLETIONQUEUE)(RIO_CQ CQ);
typedef RIO_CQ(PASCAL* LPFN_RIOCREATECOMPLETIONQUEUE)(DWORD QueueSize,
                                                      PRIO_NOTIFICATION_COMPLETION NotificationCompletion);
typedef RIO_RQ(PASCAL* LPFN_RIOCREATEREQUESTQUEUE)(SOCKET Socket, ULONG MaxOutstandingReceive,
                                                   ULONG MaxReceiveDataBuffers, ULONG MaxOutstandingSend,
                                                   ULONG MaxSendDataBuffers, RIO_CQ ReceiveCQ, RIO_CQ SendCQ,
                                                   PVOID SocketContext);
typedef ULONG(PASCAL* LPFN_RIODEQUEUECOMPLETION)(RIO_CQ CQ, PRIORESULT Array, ULONG ArraySize);
typedef VOID(PASCAL* LPFN_RIODEREGISTERBUFFER)(RIO_BUFFERID BufferId);
typedef INT(PASCAL* LPFN_RIONOTIFY)(RIO_CQ CQ);
typedef RIO_BUFFERID(PASCAL* LPFN_RIOREGISTERBUFFER)(PCHAR DataBuffer, DWORD DataLength);
typedef BOOL(PASCAL* LPFN_RIORESIZECOMPLETIONQUEUE)(RIO_CQ CQ, DWORD QueueSize);
typedef BOOL(PASCAL* LPFN_RIORESIZEREQUESTQUEUE)(RIO_RQ RQ, DWORD MaxOutstandingReceive, DWORD MaxOutstandingSend);

typedef struct _RIO_EXTENSION_FUNCTION_TABLE {
    DWORD cbSize;
    LPFN_RIORECEIVE RIOReceive;
    LPFN_RIORECEIVEEX RIOReceiveEx;
    LPFN_RIOSEND RIOSend;
    LPFN_RIOSENDEX RIOSendEx;
    LPFN_RIOCLOSECOMPLETIONQUEUE RIOCloseCompletionQueue;
    LPFN_RIOCREATECOMPLETIONQUEUE RIOCreateCompletionQueue;
    LPFN_RIOCREATEREQUESTQUEUE RIOCreateRequestQueue;
    LPFN_RIODEQUEUECOMPLETION RIODequeueCompletion;
    LPFN_RIODEREGISTERBUFFER RIODeregisterBuffer;
    LPFN_RIONOTIFY RIONotify;
    LPFN_RIOREGISTERBUFFER RIORegisterBuffer;
    LPFN_RIORESIZECOMPLETIONQUEUE RIOResizeCompletionQueue;
    LPFN_RIORESIZEREQUESTQUEUE RIOResizeRequestQueue;
} RIO_EXTENSION_FUNCTION_TABLE, *PRIO_EXTENSION_FUNCTION_TABLE;
OPENND_ASSERT_SIZE(RIO_EXTENSION_FUNCTION_TABLE, 112, 8);

#endif
