/* SPDX-License-Identifier: MIT
 *
 * guiddef.h: GUID and DEFINE_GUID, which ndcom.h has. No guard: DEFINE_GUID follows INITGUID from include to include.
 */
#include <ndcom.h>

#include "win32/conventions.h"

#ifndef OPENND_WINDOWS_GUIDDEF_H
#define OPENND_WINDOWS_GUIDDEF_H

/* The identifier of nothing. A copy in each file, so that none has to define it. */
static const GUID GUID_NULL __attribute__((unused)) = {0, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0}};

#endif
