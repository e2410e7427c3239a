/* SPDX-License-Identifier: MIT
 *
 * objbase.h: interfaces and their identifiers.
 */
#ifndef OPENND_WINDOWS_OBJBASE_H
#define OPENND_WINDOWS_OBJBASE_H

#include "unknwn.h"
#include "win32/com_functions.h"

#endif
