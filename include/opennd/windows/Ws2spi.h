/* SPDX-License-Identifier: MIT
 * Ws2spi.h: another spelling of ws2spi.h. */
#include "ws2spi.h"
