/* SPDX-License-Identifier: MIT
 *
 * wtypes.h: the types of COM's signatures.
 */
#ifndef OPENND_WINDOWS_WTYPES_H
#define OPENND_WINDOWS_WTYPES_H

#include "guiddef.h"
#include "win32/com.h"
#include "windows.h"

#endif
