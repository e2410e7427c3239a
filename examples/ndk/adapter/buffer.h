/* SPDX-License-Identifier: MIT
 *
 * Memory of the non-paged pool with the adapter's names for its pages, for requests and fast registrations.
 */
#pragma once

#include "adapter/adapter.h"

#define EXAMPLE_TAG 'kdnE'

typedef struct _BUFFER {
    ADAPTER* Adapter;
    PUCHAR Bytes;
    ULONG Length;
    PUCHAR Memory;   /* where the first page begins */
    ULONG FirstByte; /* where Bytes begin in it */
    NDK_LOGICAL_ADDRESS_MAPPING* Pages;
} BUFFER;

/* FirstByte is less than PAGE_SIZE. On failure nothing is left; a BUFFER of zeros may be freed, too. */
NTSTATUS BufferAllocate(BUFFER* Buffer, ADAPTER* Adapter, ULONG FirstByte, ULONG Length);
VOID BufferFree(BUFFER* Buffer);

/* Describes bytes from Offset on in up to Room entries, neighbouring pages in one. How many bytes that are: all of Length, or
 * as many as the entries could describe. */
ULONG BufferDescribe(const BUFFER* Buffer, ULONG Offset, ULONG Length, NDK_SGE* List, ULONG Room, ULONG* Used);
