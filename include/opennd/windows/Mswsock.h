/* SPDX-License-Identifier: MIT
 * Mswsock.h: another spelling of mswsock.h. */
#include "mswsock.h"
