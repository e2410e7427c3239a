/* SPDX-License-Identifier: MIT
 *
 * ntifs.h: the kernel under the name that file systems use; see wdm.h.
 */
#ifndef OPENND_NDK_NTIFS_H
#define OPENND_NDK_NTIFS_H

#include "wdm.h"

#endif
