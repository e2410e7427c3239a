/* SPDX-License-Identifier: MIT
 *
 * standard_headers.h: the C++ library's headers that use names which Windows' headers make macros of: __in and __out of
 * the older annotations, printf and its kin. Read before such a macro exists, they are done with: a program may include
 * any standard header before or after these.
 */
#ifndef OPENND_WINDOWS_STANDARD_HEADERS_H
#define OPENND_WINDOWS_STANDARD_HEADERS_H

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <functional>
#include <locale>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>

#if __cplusplus >= 202002L
#include <ranges>
#endif

#endif
