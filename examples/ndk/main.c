/* SPDX-License-Identifier: MIT
 * The host, in place of the system: it loads the driver, sends it requests and unloads it. An ordinary program.
 *
 *   ndk_example both ADDRESS          server and client in this process, each with an adapter of its own
 *   ndk_example server ADDRESS        a server, until standard input ends; the first line tells where
 *   ndk_example client ADDRESS PORT   a client
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control.h"
#include "driver.h"

#define ECHOES 500

static DRIVER_OBJECT Driver;
static DEVICE_OBJECT Device = {.DriverObject = &Driver};

static NTSTATUS Control(ULONG Code, PVOID Buffer, ULONG Bytes) {
    IO_STACK_LOCATION Stack = {.MajorFunction = IRP_MJ_DEVICE_CONTROL, .DeviceObject = &Device};
    IRP Irp = {.AssociatedIrp.SystemBuffer = Buffer, .Tail.Overlay.CurrentStackLocation = &Stack};
    Stack.Parameters.DeviceIoControl.IoControlCode = Code;
    Stack.Parameters.DeviceIoControl.InputBufferLength = Bytes;
    Stack.Parameters.DeviceIoControl.OutputBufferLength = Bytes;
    return Driver.MajorFunction[IRP_MJ_DEVICE_CONTROL](&Device, &Irp);
}

static int Failed(const char* What, NTSTATUS Status) {
    fprintf(stderr, "%s failed: 0x%08X\n", What, (unsigned)Status);
    return 1;
}

static int ParseAddress(const char* Text, int Port, SOCKADDR_INET* Address) {
    memset(Address, 0, sizeof *Address);
    Address->si_family = strchr(Text, ':') != NULL ? AF_INET6 : AF_INET;
    if (Address->si_family == AF_INET6) {
        Address->Ipv6.sin6_port = htons((uint16_t)Port);
        return inet_pton(AF_INET6, Text, &Address->Ipv6.sin6_addr);
    }
    Address->Ipv4.sin_port = htons((uint16_t)Port);
    return inet_pton(AF_INET, Text, &Address->Ipv4.sin_addr);
}

static int RunServer(SOCKADDR_INET* Address) {
    LISTEN_CONTROL Listen = {*Address};
    const NTSTATUS Status = Control(IOCTL_EXAMPLE_LISTEN, &Listen, sizeof Listen);
    if (!NT_SUCCESS(Status)) return Failed("the server", Status);
    *Address = Listen.Address;
    printf("listening at port %d\n", ntohs(Address->Ipv4.sin_port)); /* of IPv6, it stands at the same place */
    fflush(stdout);
    return 0;
}

static int RunClient(const SOCKADDR_INET* Server) {
    TRANSFER_CONTROL Transfer = {.Server = *Server, .Echoes = ECHOES};
    const NTSTATUS Status = Control(IOCTL_EXAMPLE_TRANSFER, &Transfer, sizeof Transfer);
    if (!NT_SUCCESS(Status)) return Failed("the client", Status);
    printf(
        "%u messages echoed; %llu bytes read and %llu bytes written by the server, all as they should be;\n"
        "%u registrations taken back by its messages, %u here\n",
        Transfer.Echoes, (unsigned long long)Transfer.BytesPut, (unsigned long long)Transfer.BytesGot,
        Transfer.TokensTakenByServer, Transfer.TokensTakenHere);
    return Transfer.Echoes == ECHOES && Transfer.TokensTakenByServer != 0 && Transfer.TokensTakenHere != 0 ? 0 : 1;
}

static int Run(int Count, char** Words) {
    const char* const Role = Count > 1 ? Words[1] : "";
    SOCKADDR_INET Address;
    int Wrong;
    if (Count < 3 || ParseAddress(Words[2], Count > 3 ? atoi(Words[3]) : 0, &Address) != 1) {
        fprintf(stderr, "usage: %s both|server|client ADDRESS [PORT]\n", Words[0]);
        return 2;
    }
    if (strcmp(Role, "client") == 0) return RunClient(&Address);
    Wrong = RunServer(&Address);
    if (Wrong == 0 && strcmp(Role, "both") == 0) return RunClient(&Address);
    while (Wrong == 0 && getchar() != EOF) {
    }
    return Wrong;
}

int main(int argc, char** argv) {
    UNICODE_STRING Path;
    NTSTATUS Status;
    int Wrong;
    RtlInitUnicodeString(&Path, L"example");
    Status = DriverEntry(&Driver, &Path);
    if (!NT_SUCCESS(Status)) return Failed("DriverEntry", Status);
    Wrong = Run(argc, argv);
    Driver.DriverUnload(&Driver);
    return Wrong;
}
