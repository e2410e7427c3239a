/* SPDX-License-Identifier: MIT
 * Forgets a block of pool. */
#include <ntddk.h>

int main(void) { return ExAllocatePoolWithTag(NonPagedPoolNx, 100, 'kael') == NULL; }
