/* SPDX-License-Identifier: MIT
 * Everything of the kernel-named set and of NDK. */
#include <ntddk.h>
#include <ntifs.h>
#include <wdm.h>

#include <ndis.h>
#include <ndisndk.h>
#include <ndkpi.h>
#include <netioapi.h>
#include <ntdef.h>
#include <ntstatus.h>
#include <ntstrsafe.h>
#include <opennd_wdm.h>
#include <sal.h>
#include <wdmsec.h>
#include <ws2ipdef.h>
#include <wsk.h>
#include <wskndk.h>
