/* SPDX-License-Identifier: MIT
 *
 * literals.h: the endings by which Microsoft's compiler tells the width of an integer literal, 10ui64 or 0xFFi64.
 *
 * gcc takes them in C++ only, as literal operators whose names the language keeps for itself. In C gcc has no way to
 * take them: such a literal becomes UINT64_C(10). clang has them built in, in both languages, with -fms-extensions, and
 * has no other way.
 */
#ifndef OPENND_WINDOWS_LITERALS_H
#define OPENND_WINDOWS_LITERALS_H

#include "types.h"

#if defined(__cplusplus) && !defined(__clang__)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wliteral-suffix"

extern "C++" {
constexpr INT8 operator"" i8(unsigned long long number) { return static_cast<INT8>(number); }
constexpr INT16 operator"" i16(unsigned long long number) { return static_cast<INT16>(number); }
constexpr INT32 operator"" i32(unsigned long long number) { return static_cast<INT32>(number); }
constexpr INT64 operator"" i64(unsigned long long number) { return static_cast<INT64>(number); }
constexpr INT64 operator"" I64(unsigned long long number) { return static_cast<INT64>(number); }
constexpr UINT8 operator"" ui8(unsigned long long number) { return static_cast<UINT8>(number); }
constexpr UINT16 operator"" ui16(unsigned long long number) { return static_cast<UINT16>(number); }
constexpr UINT32 operator"" ui32(unsigned long long number) { return static_cast<UINT32>(number); }
constexpr UINT64 operator"" ui64(unsigned long long number) { return static_cast<UINT64>(number); }
constexpr UINT64 operator"" UI64(unsigned long long number) { return static_cast<UINT64>(number); }
}

#pragma GCC diagnostic pop

#endif

#endif
