/* SPDX-License-Identifier: MIT
 *
 * netioapi.h: network interfaces; see kernel/interfaces.h.
 */
#ifndef OPENND_NDK_NETIOAPI_H
#define OPENND_NDK_NETIOAPI_H

#include "kernel/interfaces.h"

#endif
