/* SPDX-License-Identifier: MIT
 *
 * sddl.h: Windows' security descriptors as text. There are none here: the system alone decides on access, and functions
 * ignore security attributes. So this header has only the version.
 */
#ifndef OPENND_WINDOWS_SDDL_H
#define OPENND_WINDOWS_SDDL_H

#include "windows.h"

#define SDDL_REVISION_1 1
#define SDDL_REVISION   SDDL_REVISION_1

#endif
