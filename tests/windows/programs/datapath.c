/* SPDX-License-Identifier: MIT The platform layer of a network library in C, as such libraries have it for Windows:
 * buffers in interlocked lists, a pointer for each worker, work of the thread pool, a check that ends the process, and
 * pointers to Winsock's extensions that may not be there. */
#include <winsock2.h>
#include <ws2tcpip.h>

#include <mswsock.h>
#include <ntstatus.h>
#include <stdio.h>

#define BUFFERS 8
#define JOBS    64

typedef enum BUFFER_FLAGS { BUFFER_NONE = 0x0, BUFFER_USED = 0x1, BUFFER_DIRTY = 0x2 } BUFFER_FLAGS;
DEFINE_ENUM_FLAG_OPERATORS(BUFFER_FLAGS)

typedef struct DECLSPEC_CACHEALIGN BUFFER {
    SLIST_ENTRY Link;
    BUFFER_FLAGS Flags;
    LONG References;
    ULONG Uses;
} BUFFER;

static_assert(FIELD_OFFSET(BUFFER, Link) == 0, "the entry is the buffer");
C_ASSERT(MEMORY_ALLOCATION_ALIGNMENT % sizeof(void*) == 0);

typedef struct DATAPATH {
    SLIST_HEADER Free;
    BUFFER Buffers[BUFFERS];
    DWORD Worker; /* index of each thread's own pointer */
    LONG Starved;
    LPFN_ACCEPTEX AcceptEx;
    LPFN_CONNECTEX ConnectEx;
    RIO_EXTENSION_FUNCTION_TABLE Rio;
    RIO_BUFFERID RioBuffer;
} DATAPATH;

FORCEINLINE void check_references(LONG references) {
    if (references < 0) __fastfail(FAST_FAIL_INVALID_REFERENCE_COUNT);
}

_Success_(return != NULL) DECLSPEC_ALLOCATOR static BUFFER* take_buffer(_Inout_ DATAPATH* datapath) {
    BUFFER* const buffer = (BUFFER*)InterlockedPopEntrySList(&datapath->Free);
    if (buffer == NULL) return NULL;
    buffer->Flags |= BUFFER_USED;
    check_references(InterlockedIncrement(&buffer->References));
    return buffer;
}

static void give_buffer(DATAPATH* datapath, _Pre_defensive_ __drv_freesMem(Mem) BUFFER* buffer) {
    buffer->Flags &= ~BUFFER_USED;
    check_references(InterlockedDecrement(&buffer->References));
    InterlockedPushEntrySList(&datapath->Free, &buffer->Link);
}

/* Each thread of the pool counts its own work. */
static VOID CALLBACK work(PTP_CALLBACK_INSTANCE instance, PVOID context, PTP_WORK self) {
    DATAPATH* const datapath = (DATAPATH*)context;
    const ULONG_PTR own = (ULONG_PTR)TlsGetValue(datapath->Worker) + 1;
    BUFFER* const buffer = take_buffer(datapath);
    UNREFERENCED_PARAMETER(instance);
    UNREFERENCED_PARAMETER(self);
    TlsSetValue(datapath->Worker, (LPVOID)own);
    if (buffer == NULL) {
        InterlockedIncrement(&datapath->Starved);
        return;
    }
    ++buffer->Uses;
    give_buffer(datapath, buffer);
}

/* What is not there is done without. */
static NTSTATUS find_extensions(DATAPATH* datapath) {
    GUID accept_ex = WSAID_ACCEPTEX, connect_ex = WSAID_CONNECTEX, rio = WSAID_MULTIPLE_RIO;
    DWORD bytes;
    int found = 0;
    SOCKET s = WSASocketW(AF_INET, SOCK_STREAM, IPPROTO_TCP, NULL, 0, WSA_FLAG_OVERLAPPED);
    if (s == INVALID_SOCKET) return STATUS_UNSUCCESSFUL;
    found += WSAIoctl(s, SIO_GET_EXTENSION_FUNCTION_POINTER, &accept_ex, sizeof(accept_ex), &datapath->AcceptEx,
                      sizeof(datapath->AcceptEx), &bytes, NULL, NULL) != SOCKET_ERROR;
    found += WSAIoctl(s, SIO_GET_EXTENSION_FUNCTION_POINTER, &connect_ex, sizeof(connect_ex), &datapath->ConnectEx,
                      sizeof(datapath->ConnectEx), &bytes, NULL, NULL) != SOCKET_ERROR;
    datapath->Rio.cbSize = sizeof(datapath->Rio);
    found += WSAIoctl(s, SIO_GET_MULTIPLE_EXTENSION_FUNCTION_POINTER, &rio, sizeof(rio), &datapath->Rio,
                      sizeof(datapath->Rio), &bytes, NULL, NULL) != SOCKET_ERROR;
    datapath->RioBuffer = RIO_INVALID_BUFFERID;
    closesocket(s);
    return found == 0 ? STATUS_NOT_SUPPORTED : STATUS_ALREADY_REGISTERED;
}

int main(void) {
    static DATAPATH datapath;
    WSADATA winsock;
    ULONG uses = 0;
    int i;
    PTP_WORK pool_work;
    if (WSAStartup(MAKEWORD(2, 2), &winsock) != 0) return 1;
    if (find_extensions(&datapath) != STATUS_NOT_SUPPORTED || datapath.AcceptEx != NULL) return 2;
    InitializeSListHead(&datapath.Free);
    for (i = 0; i < BUFFERS; ++i) InterlockedPushEntrySList(&datapath.Free, &datapath.Buffers[i].Link);
    datapath.Worker = TlsAlloc();
    pool_work = CreateThreadpoolWork(work, &datapath, NULL);
    if (datapath.Worker == TLS_OUT_OF_INDEXES || pool_work == NULL) return 3;
    for (i = 0; i < JOBS; ++i) SubmitThreadpoolWork(pool_work);
    WaitForThreadpoolWorkCallbacks(pool_work, FALSE);
    CloseThreadpoolWork(pool_work);
    for (i = 0; i < BUFFERS; ++i) {
        uses += datapath.Buffers[i].Uses;
        if (datapath.Buffers[i].Flags != BUFFER_NONE || datapath.Buffers[i].References != 0) return 4;
    }
    printf("%lu buffers free, %lu jobs done\n", (ULONG)QueryDepthSList(&datapath.Free), uses + (ULONG)datapath.Starved);
    TlsFree(datapath.Worker);
    return InterlockedFlushSList(&datapath.Free) != NULL ? 0 : 5;
}
