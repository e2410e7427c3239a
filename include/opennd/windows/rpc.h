/* SPDX-License-Identifier: MIT
 *
 * rpc.h: names of things that are unique (UUIDs), which Windows keeps with its remote procedure calls. These are not here.
 */
#ifndef OPENND_WINDOWS_RPC_H
#define OPENND_WINDOWS_RPC_H

#include "rpcdce.h"

#endif
