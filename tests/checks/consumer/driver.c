/* SPDX-License-Identifier: MIT
 * A driver, and the host that runs it: a complete consumer of libopennd-wdm. */
#include <ntddk.h>

static VOID Work(PVOID Context) { KeSetEvent((PKEVENT)Context, IO_NO_INCREMENT, FALSE); }

static VOID Unload(PDRIVER_OBJECT DriverObject) { UNREFERENCED_PARAMETER(DriverObject); }

static NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath) {
    KEVENT Done;
    WORK_QUEUE_ITEM Item;
    UNREFERENCED_PARAMETER(RegistryPath);
    DriverObject->DriverUnload = Unload;
    KeInitializeEvent(&Done, NotificationEvent, FALSE);
    ExInitializeWorkItem(&Item, Work, &Done);
    ExQueueWorkItem(&Item, DelayedWorkQueue);
    return KeWaitForSingleObject(&Done, Executive, KernelMode, FALSE, NULL);
}

int main(void) {
    DRIVER_OBJECT Driver = {0};
    UNICODE_STRING Path;
    NTSTATUS Status;
    RtlInitUnicodeString(&Path, L"driver");
    Status = DriverEntry(&Driver, &Path);
    if (NT_SUCCESS(Status)) Driver.DriverUnload(&Driver);
    return NT_SUCCESS(Status) ? 0 : 1;
}
