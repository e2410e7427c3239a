/* SPDX-License-Identifier: MIT
 *
 * The client: echoes messages, puts memory into the server's store, gets it back and compares.
 */
#pragma once

#include "control.h"
#include "provider.h"

/* PASSIVE_LEVEL. STATUS_DATA_ERROR: something is not as it was. */
NTSTATUS ClientRun(PROVIDER* Provider, TRANSFER_CONTROL* Control);
