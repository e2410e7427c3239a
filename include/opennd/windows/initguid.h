/* SPDX-License-Identifier: MIT
 *
 * initguid.h: from here on DEFINE_GUID gives storage. No guard, as in ndcom.h.
 */
#ifndef INITGUID
#define INITGUID
#endif
#include "guiddef.h"
