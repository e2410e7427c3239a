/* SPDX-License-Identifier: MIT
 *
 * mswsock.h: the home of ws2_32's extensions. None of them (AcceptEx and its kin) is here, only the headers below it.
 */
#include "winsock2.h"
