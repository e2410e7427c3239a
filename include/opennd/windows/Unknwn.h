/* SPDX-License-Identifier: MIT
 * Unknwn.h: another spelling of unknwn.h. */
#include "unknwn.h"
