/* SPDX-License-Identifier: MIT
 * The driver: an SMB Direct in small, of the kernel's names alone. control.h lists its requests. Read next: client.c
 * and answer.c, which talk; connection.c, which carries their messages. */
#include "driver.h"
#include "client/client.h"
#include "server/server.h"

static PROVIDER Provider;
static SERVER Server;
static BOOLEAN ServerRuns;

static NTSTATUS Listen(PDEVICE_OBJECT Device, LISTEN_CONTROL* Control) {
    NTSTATUS Status;
    if (ServerRuns) return STATUS_INVALID_DEVICE_STATE;
    Status = ServerStart(&Server, &Provider, Device, &Control->Address);
    ServerRuns = NT_SUCCESS(Status);
    return Status;
}

static NTSTATUS DeviceControl(PDEVICE_OBJECT Device, PIRP Irp) {
    const IO_STACK_LOCATION* const Stack = IoGetCurrentIrpStackLocation(Irp);
    const ULONG Bytes = Stack->Parameters.DeviceIoControl.InputBufferLength;
    const ULONG Code = Stack->Parameters.DeviceIoControl.IoControlCode;
    NTSTATUS Status = STATUS_INVALID_DEVICE_REQUEST;
    if (Code == IOCTL_EXAMPLE_LISTEN && Bytes == sizeof(LISTEN_CONTROL))
        Status = Listen(Device, Irp->AssociatedIrp.SystemBuffer);
    if (Code == IOCTL_EXAMPLE_TRANSFER && Bytes == sizeof(TRANSFER_CONTROL))
        Status = ClientRun(&Provider, Irp->AssociatedIrp.SystemBuffer);
    Irp->IoStatus.Status = Status;
    Irp->IoStatus.Information = Bytes;
    IoCompleteRequest(Irp, IO_NO_INCREMENT);
    return Status;
}

static VOID Unload(PDRIVER_OBJECT DriverObject) {
    UNREFERENCED_PARAMETER(DriverObject);
    if (ServerRuns) ServerStop(&Server);
    ServerRuns = FALSE;
    ProviderDetach(&Provider);
}

NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath) {
    UNREFERENCED_PARAMETER(RegistryPath);
    DriverObject->DriverUnload = Unload;
    DriverObject->MajorFunction[IRP_MJ_DEVICE_CONTROL] = DeviceControl;
    return ProviderAttach(&Provider);
}
