/* SPDX-License-Identifier: MIT
 *
 * ndspi.h: Network Direct's interfaces with Winsock's names before them, as on Windows.
 */
#include "winsock2.h"

#include "unknwn.h"

#include "../ndspi.h"
