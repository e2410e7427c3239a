/* SPDX-License-Identifier: MIT
 *
 * libloaderapi.h: modules. A part of windows.h.
 */
#ifndef OPENND_WINDOWS_LIBLOADERAPI_H
#define OPENND_WINDOWS_LIBLOADERAPI_H

#include "win32/modules.h"

#endif
