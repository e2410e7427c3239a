/* SPDX-License-Identifier: MIT
 *
 * driver.h: the objects that driver code is handed, as far as consumers touch them, and how control
 * codes are made up. A host fills in a DRIVER_OBJECT and calls DriverEntry as a plain function, and DriverUnload at the
 * end.
 */
#ifndef OPENND_KERNEL_DRIVER_H
#define OPENND_KERNEL_DRIVER_H

#include "../../windows/winioctl.h"
#include "events.h"
#include "types.h"

typedef struct _DRIVER_OBJECT DRIVER_OBJECT, *PDRIVER_OBJECT;
typedef struct _DEVICE_OBJECT DEVICE_OBJECT, *PDEVICE_OBJECT;
typedef struct _IRP IRP, *PIRP;

typedef NTSTATUS DRIVER_INITIALIZE(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath);
typedef DRIVER_INITIALIZE* PDRIVER_INITIALIZE;
typedef VOID DRIVER_UNLOAD(PDRIVER_OBJECT DriverObject);
typedef DRIVER_UNLOAD* PDRIVER_UNLOAD;
typedef NTSTATUS DRIVER_DISPATCH(PDEVICE_OBJECT DeviceObject, PIRP Irp);
typedef DRIVER_DISPATCH* PDRIVER_DISPATCH;

#define IRP_MJ_CREATE           0x00
#define IRP_MJ_CLOSE            0x02
#define IRP_MJ_READ             0x03
#define IRP_MJ_WRITE            0x04
#define IRP_MJ_DEVICE_CONTROL   0x0E
#define IRP_MJ_CLEANUP          0x12
#define IRP_MJ_MAXIMUM_FUNCTION 0x1B

struct _DRIVER_OBJECT {
    PDEVICE_OBJECT DeviceObject;
    UNICODE_STRING DriverName;
    PDRIVER_UNLOAD DriverUnload;
    PDRIVER_DISPATCH MajorFunction[IRP_MJ_MAXIMUM_FUNCTION + 1];
};

struct _DEVICE_OBJECT {
    PDRIVER_OBJECT DriverObject;
    PDEVICE_OBJECT NextDevice;
    ULONG Flags;
    PVOID DeviceExtension;
};

typedef struct _IO_STACK_LOCATION {
    UCHAR MajorFunction;
    UCHAR MinorFunction;
    UCHAR Flags;
    UCHAR Control;
    union {
        struct {
            ULONG OutputBufferLength;
            ULONG InputBufferLength;
            ULONG IoControlCode;
            PVOID Type3InputBuffer;
        } DeviceIoControl;
        struct {
            PVOID Argument1;
            PVOID Argument2;
            PVOID Argument3;
            PVOID Argument4;
        } Others;
    } Parameters;
    PDEVICE_OBJECT DeviceObject;
} IO_STACK_LOCATION, *PIO_STACK_LOCATION;

/* An IRP of the host's making. */
struct _IRP {
    PMDL MdlAddress;
    union {
        PVOID SystemBuffer;
    } AssociatedIrp;
    IO_STATUS_BLOCK IoStatus;
    PIO_STATUS_BLOCK UserIosb; /* NULL, or where the status is copied to when it completes */
    PKEVENT UserEvent;         /* NULL, or an event to signal then */
    PVOID UserBuffer;
    union {
        struct {
            PIO_STACK_LOCATION CurrentStackLocation;
        } Overlay;
    } Tail;
};

#define IoGetCurrentIrpStackLocation(irp) ((irp)->Tail.Overlay.CurrentStackLocation)

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Ends a request: its IoStatus is copied to UserIosb and UserEvent is signalled, where the host gave them. PriorityBoost
 * has no effect. The request is the host's again. */
VOID NTAPI IoCompleteRequest(PIRP Irp, CCHAR PriorityBoost);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
