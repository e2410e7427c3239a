/* SPDX-License-Identifier: MIT
 *
 * Bytes that can be told from others: of each seed and place another.
 */
#pragma once

#include <ntddk.h>

VOID PatternFill(PUCHAR Bytes, ULONG Length, ULONG Seed);
BOOLEAN PatternMatches(const UCHAR* Bytes, ULONG Length, ULONG Seed);
UINT32 Checksum(const UCHAR* Bytes, ULONG Length);
