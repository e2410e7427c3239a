/* SPDX-License-Identifier: MIT
 *
 * mana_ndspi.h: the interfaces for immediate data with Winsock's names before them, as on Windows.
 */
#include "winsock2.h"

#include "unknwn.h"

#include "../mana_ndspi.h"
