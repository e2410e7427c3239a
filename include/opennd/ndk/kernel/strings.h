/* SPDX-License-Identifier: MIT
 *
 * strings.h: counted strings. Formatted ones are in ntstrsafe.h, addresses in addresses.h.
 */
#ifndef OPENND_KERNEL_STRINGS_H
#define OPENND_KERNEL_STRINGS_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Describes SourceString, which stays where it is; NULL: an empty one. One that is too long to count is cut. */
VOID NTAPI RtlInitUnicodeString(PUNICODE_STRING DestinationString, PCWSTR SourceString);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
