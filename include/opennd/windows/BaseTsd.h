/* SPDX-License-Identifier: MIT
 * BaseTsd.h: another spelling of basetsd.h. */
#include "basetsd.h"
