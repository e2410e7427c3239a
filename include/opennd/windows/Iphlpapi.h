/* SPDX-License-Identifier: MIT
 * Iphlpapi.h: another spelling of iphlpapi.h. */
#include "iphlpapi.h"
