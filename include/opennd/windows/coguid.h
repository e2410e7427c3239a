/* SPDX-License-Identifier: MIT
 *
 * coguid.h: identifiers of COM's own interfaces; IID_IUnknown, IID_IClassFactory and GUID_NULL are all that is here.
 */
#ifndef OPENND_WINDOWS_COGUID_H
#define OPENND_WINDOWS_COGUID_H

#include "guiddef.h"

#endif
