/* SPDX-License-Identifier: MIT
 *
 * sddl.h: where Windows has security descriptors as text. There are none here: whose things are is the system's matter, and
 * functions that take security attributes do not look at them. So there is nothing but the version.
 */
#ifndef OPENND_WINDOWS_SDDL_H
#define OPENND_WINDOWS_SDDL_H

#include "windows.h"

#define SDDL_REVISION_1 1
#define SDDL_REVISION   SDDL_REVISION_1

#endif
