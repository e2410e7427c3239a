/* SPDX-License-Identifier: MIT
 *
 * version_1.c: the names that a program for version 1 sees (NDVER). It need only compile.
 */
#define NDVER 0x1
#include <ndsupport.h>

#ifdef ND_OP_FLAG_INLINE
#error "ND_OP_FLAG_INLINE belongs to version 2"
#endif
_Static_assert(NDVER == ND_VERSION_1, "the program's choice stands");
_Static_assert(ND_FAILURE == ND_INTERNAL_ERROR, "a name of version 1");
_Static_assert(sizeof(INDAdapterVtbl) == 14 * sizeof(void*), "version 1 is declared");
