/* SPDX-License-Identifier: MIT
 *
 * arithmetic.h: min and max, and words made of bytes and taken apart.
 */
#ifndef OPENND_WINDOWS_ARITHMETIC_H
#define OPENND_WINDOWS_ARITHMETIC_H

#include "types.h"

/* ---- min and max ------------------------------------------------------------------------------------------------- */

/* Of two numbers of any two types, as Windows' macros allow. In C++ functions, which leave std::min alone and evaluate
 * each side once. NOMINMAX: none of it. */
#ifndef NOMINMAX
#ifdef __cplusplus

#include <type_traits>

template <typename A, typename B>
constexpr typename std::common_type<A, B>::type min(A a, B b) {
    using Common = typename std::common_type<A, B>::type;
    return static_cast<Common>(a) < static_cast<Common>(b) ? static_cast<Common>(a) : static_cast<Common>(b);
}

template <typename A, typename B>
constexpr typename std::common_type<A, B>::type max(A a, B b) {
    using Common = typename std::common_type<A, B>::type;
    return static_cast<Common>(a) > static_cast<Common>(b) ? static_cast<Common>(a) : static_cast<Common>(b);
}

#else

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

#endif
#endif

/* ---- parts of words ---------------------------------------------------------------------------------------------- */

#define MAKEWORD(low, high) ((WORD)(((BYTE)((DWORD_PTR)(low)&0xFFu)) | (WORD)((BYTE)((DWORD_PTR)(high)&0xFFu) << 8)))
#define MAKELONG(low, high) ((LONG)((DWORD)((DWORD_PTR)(low)&0xFFFFu) | ((DWORD)((DWORD_PTR)(high)&0xFFFFu) << 16)))
#define LOWORD(number)      ((WORD)((DWORD_PTR)(number)&0xFFFFu))
#define HIWORD(number)      ((WORD)((DWORD_PTR)(number) >> 16 & 0xFFFFu))
#define LOBYTE(number)      ((BYTE)((DWORD_PTR)(number)&0xFFu))
#define HIBYTE(number)      ((BYTE)((DWORD_PTR)(number) >> 8 & 0xFFu))

#define MAKELANGID(primary, secondary) ((WORD)((WORD)(secondary) << 10 | (WORD)(primary)))
#define LANG_NEUTRAL                   0x00
#define LANG_ENGLISH                   0x09
#define SUBLANG_NEUTRAL                0x00
#define SUBLANG_DEFAULT                0x01
#define SUBLANG_ENGLISH_US             0x01

#endif
