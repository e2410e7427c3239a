// SPDX-License-Identifier: MIT
// A driver as a host runs it: its entry is a plain function, and its requests end where the host says.
#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

int unloaded;

VOID unload(PDRIVER_OBJECT) { ++unloaded; }

NTSTATUS control(PDEVICE_OBJECT, PIRP irp) {
    const PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    irp->IoStatus.Status = STATUS_SUCCESS;
    irp->IoStatus.Information = location->Parameters.DeviceIoControl.IoControlCode;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return STATUS_SUCCESS;
}

NTSTATUS entry(PDRIVER_OBJECT driver, PUNICODE_STRING path) {
    driver->DriverUnload = unload;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    return path->Length == 6 * sizeof(WCHAR) ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

TEST(Driver, IsEnteredServedAndUnloaded) {
    support::proves("NDK-HOST-40");
    const PDRIVER_INITIALIZE initialize = entry;
    DRIVER_OBJECT driver{};
    DEVICE_OBJECT device{};
    device.DriverObject = &driver;
    UNICODE_STRING path;
    RtlInitUnicodeString(&path, L"driver");
    ASSERT_EQ(initialize(&driver, &path), STATUS_SUCCESS);

    KEVENT ended;
    KeInitializeEvent(&ended, NotificationEvent, FALSE);
    IO_STATUS_BLOCK status{};
    IO_STACK_LOCATION location{};
    location.MajorFunction = IRP_MJ_DEVICE_CONTROL;
    location.Parameters.DeviceIoControl.IoControlCode = 42;
    IRP irp{};
    irp.UserIosb = &status;
    irp.UserEvent = &ended;
    irp.Tail.Overlay.CurrentStackLocation = &location;
    EXPECT_EQ(driver.MajorFunction[location.MajorFunction](&device, &irp), STATUS_SUCCESS);
    EXPECT_NE(KeReadStateEvent(&ended), 0);
    EXPECT_EQ(status.Information, 42u);

    IRP without{};
    without.Tail.Overlay.CurrentStackLocation = &location;
    control(&device, &without);
    driver.DriverUnload(&driver);
    EXPECT_EQ(unloaded, 1);
}

}  // namespace
}  // namespace opennd
