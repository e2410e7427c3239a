/* SPDX-License-Identifier: MIT
 *
 * error_layout.c: opennd_error in C has the layout that values_test.cpp demands of it in C++, and its functions their
 * types. It need only compile.
 */
#include <opennd.h>
#include <stddef.h>

_Static_assert(sizeof(opennd_error) == 64, "the first version of the structure");
_Static_assert(offsetof(opennd_error, bytes) == 0, "the size comes first");
_Static_assert(offsetof(opennd_error, status) == 4, "");
_Static_assert(offsetof(opennd_error, status_name) == 8, "");
_Static_assert(offsetof(opennd_error, requirement) == 56, "the last one");
_Static_assert(_Generic(&opennd_last_error, HRESULT (*)(opennd_error*) : 1, default : 0), "");
_Static_assert(_Generic(&opennd_last_error_clear, void (*)(void) : 1, default : 0), "");
_Static_assert(_Generic(&opennd_error_sink, HRESULT (*)(opennd_error_function, void*) : 1, default : 0), "");
