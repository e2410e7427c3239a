/* SPDX-License-Identifier: MIT
 *
 * guiddef.h: GUID and DEFINE_GUID, which ndcom.h has. No guard: DEFINE_GUID follows INITGUID from include to include.
 */
#include <ndcom.h>

#include "win32/conventions.h"

#ifndef OPENND_WINDOWS_GUIDDEF_H
#define OPENND_WINDOWS_GUIDDEF_H

/* The identifier of nothing. Programs may define it themselves. */
DEFINE_GUID(GUID_NULL, 0x00000000, 0x0000, 0x0000, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00);

#endif
