/* SPDX-License-Identifier: MIT
 * Everything of the set in a file that is compiled with _WIN32. */
#include "windows_headers.h"

extern int something_to_compile;
