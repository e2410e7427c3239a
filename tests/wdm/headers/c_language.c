/* SPDX-License-Identifier: MIT
 * The differences in C: macros instead of templates, structures without constructors; and a little of everything on the
 * way. */
#define OPENND_WDM_MIN_MAX
#include "c_language.h"

#include "kernel_headers.h"

#define CHECK(condition) \
    if (!(condition)) return __LINE__

typedef struct _SESSION {
    LIST_ENTRY Link;
    EX_RUNDOWN_REF Rundown;
    KEVENT Done;
    WORK_QUEUE_ITEM Item;
    volatile LONG References;
} SESSION, *PSESSION;

_Use_decl_annotations_ static VOID finish(_In_ PVOID Context) {
    PSESSION Session = Context;
    InterlockedDecrement(&Session->References);
    KeSetEvent(&Session->Done, IO_NO_INCREMENT, FALSE);
}

static int lists_and_locks(void) {
    KSPIN_LOCK Lock;
    KIRQL OldIrql;
    KLOCK_QUEUE_HANDLE Handle;
    LIST_ENTRY Sessions;
    PSESSION Session = ExAllocatePoolZero(NonPagedPoolNx, sizeof(SESSION), 'sseS');
    PAGED_CODE();
    CHECK(Session != NULL);
    InitializeListHead(&Sessions);
    KeInitializeSpinLock(&Lock);
    KeAcquireSpinLock(&Lock, &OldIrql);
    InsertTailList(&Sessions, &Session->Link);
    CHECK(KeGetCurrentIrql() == DISPATCH_LEVEL);
    KeReleaseSpinLock(&Lock, OldIrql);
    KeAcquireInStackQueuedSpinLock(&Lock, &Handle);
    CHECK(CONTAINING_RECORD(RemoveHeadList(&Sessions), SESSION, Link) == Session);
    KeReleaseInStackQueuedSpinLock(&Handle);
    CHECK(KeGetCurrentIrql() == PASSIVE_LEVEL && IsListEmpty(&Sessions));

    ExInitializeRundownProtection(&Session->Rundown);
    CHECK(ExAcquireRundownProtection(&Session->Rundown));
    KeInitializeEvent(&Session->Done, NotificationEvent, FALSE);
    ExInitializeWorkItem(&Session->Item, finish, Session);
    InterlockedIncrement(&Session->References);
    ExQueueWorkItem(&Session->Item, DelayedWorkQueue);
    CHECK(KeWaitForSingleObject(&Session->Done, Executive, KernelMode, FALSE, NULL) == STATUS_SUCCESS);
    CHECK(InterlockedCompareExchange(&Session->References, 1, 0) == 0);
    ExReleaseRundownProtection(&Session->Rundown);
    ExWaitForRundownProtectionRelease(&Session->Rundown);
    ExFreePoolWithTag(Session, 'sseS');
    return 0;
}

static int memory_descriptors(void) {
    const ULONG Pages = 16;
    NDK_SGE Sge = {0};
    PVOID Buffer = ExAllocatePool2(POOL_FLAG_NON_PAGED, Pages * PAGE_SIZE, 'fuBS');
    PMDL Mdl = IoAllocateMdl(Buffer, Pages * PAGE_SIZE, FALSE, FALSE, NULL);
    SIZE_T Bytes = FIELD_OFFSET(NDK_LOGICAL_ADDRESS_MAPPING, AdapterPageArray[Pages]);
    CHECK(Mdl != NULL && BYTE_OFFSET(Buffer) == 0);
    CHECK(Bytes == 0x10 + 16 * 8);
    MmBuildMdlForNonPagedPool(Mdl);
    CHECK(MmGetMdlPfnArray(Mdl)[15] == ((ULONG_PTR)Buffer >> PAGE_SHIFT) + 15);
    CHECK(MmGetSystemAddressForMdlSafe(Mdl, NormalPagePriority) == Buffer);
    Sge.LogicalAddress.QuadPart = 0x1000;
    CHECK(Sge.VirtualAddress == (PVOID)0x1000);
    IoFreeMdl(Mdl);
    ExFreePool(Buffer);
    CHECK('NDKD' == 0x4E444B44);
    CHECK(min(3, 4) == 3 && max(3, 4) == 4);
    return 0;
}

static int addresses(void) {
    SOCKADDR_INET Address = {0};
    WCHAR Text[32];
    UNICODE_STRING String;
    CHECK(RtlIpv4StringToAddressExW(L"127.0.0.1:445", TRUE, &Address.Ipv4.sin_addr, &Address.Ipv4.sin_port) == 0);
    CHECK(Address.Ipv4.sin_addr.S_un.S_addr == RtlUlongByteSwap(0x7F000001));
    CHECK(RtlIpv4AddressToStringW(&Address.Ipv4.sin_addr, Text) == Text + 9);
    CHECK(RtlStringCbPrintfW(Text, sizeof(Text), L"%ld %s", (LONG)-1, L"x") == STATUS_SUCCESS);
    RtlInitUnicodeString(&String, Text);
    CHECK(String.Length == 4 * sizeof(WCHAR));
    KdPrint(("%wZ\n", &String));
    return 0;
}

/* Words for Microsoft's tools, where drivers write them. */
typedef struct _GUARDED {
    KSPIN_LOCK Lock;
    _Write_guarded_by_(Lock) ULONG State;
} GUARDED;

static ULONG state_of(_In_ _Strict_type_match_ POOL_TYPE Type, _In_opt_ GUARDED* Guarded) {
    __pragma(warning(suppress : 4127)) if (!ARGUMENT_PRESENT(Guarded)) return (ULONG)Type;
    _No_competing_thread_begin_;
    Guarded->State = 1;
    _No_competing_thread_end_;
    return Guarded->State;
}

static int words(void) {
    GUARDED Guarded = {0, 0};
    CHECK(state_of(PagedPool, NULL) == PagedPool && state_of(NonPagedPool, &Guarded) == 1);
    CHECK(CTL_CODE(FILE_DEVICE_NETWORK, 0x800, METHOD_BUFFERED, FILE_ANY_ACCESS) == 0x122000);
    return 0;
}

int run_c_consumer(void) {
    int line = lists_and_locks();
    if (line == 0) line = memory_descriptors();
    if (line == 0) line = addresses();
    if (line == 0) line = words();
    return line;
}
