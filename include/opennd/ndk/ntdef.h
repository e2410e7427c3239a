/* SPDX-License-Identifier: MIT
 *
 * ntdef.h: types, lists' links and macros of the kernel under Windows' names.
 */
#ifndef OPENND_NDK_NTDEF_H
#define OPENND_NDK_NTDEF_H

#include "kernel/macros.h"
#include "kernel/types.h"

#endif
