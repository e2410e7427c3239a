/* SPDX-License-Identifier: MIT
 * Wdmsec.h: another spelling of wdmsec.h. */
#include "wdmsec.h"
