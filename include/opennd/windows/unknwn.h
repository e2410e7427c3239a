/* SPDX-License-Identifier: MIT
 *
 * unknwn.h: IUnknown and IClassFactory, which ndcom.h has.
 */
#ifndef OPENND_WINDOWS_UNKNWN_H
#define OPENND_WINDOWS_UNKNWN_H

#include "guiddef.h"
#include "win32/com.h"
#include "windows.h"

#endif
