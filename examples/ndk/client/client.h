/* SPDX-License-Identifier: MIT
 *
 * The client: echoes messages, puts memory into the server's store, gets it back and compares.
 */
#pragma once

#include "adapter/provider.h"
#include "control.h"

/* PASSIVE_LEVEL. STATUS_DATA_ERROR: something is not as it was. */
NTSTATUS ClientRun(PROVIDER* Provider, TRANSFER_CONTROL* Control);
