/* SPDX-License-Identifier: MIT
 *
 * mswsock.h: where ws2_32 has its extensions. None of them (AcceptEx and its kin) is here; what they rest on is.
 */
#include "winsock2.h"
