/* SPDX-License-Identifier: MIT
 *
 * ndsupport.h: Network Direct's helper functions with Winsock's names before them, as on Windows.
 */
#include "winsock2.h"

#include "unknwn.h"

#include "../ndsupport.h"
