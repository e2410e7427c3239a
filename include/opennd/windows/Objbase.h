/* SPDX-License-Identifier: MIT
 * Objbase.h: another spelling of objbase.h. */
#include "objbase.h"
