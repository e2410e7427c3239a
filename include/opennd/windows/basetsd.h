/* SPDX-License-Identifier: MIT
 *
 * basetsd.h: integers with the size in their name, and those of a pointer's size.
 */
#include "win32/types.h"
