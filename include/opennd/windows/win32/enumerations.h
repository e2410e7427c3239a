/* SPDX-License-Identifier: MIT
 *
 * enumerations.h: operators of bits for an enumeration, as Windows' winnt.h has them.
 */
#ifndef OPENND_WINDOWS_ENUMERATIONS_H
#define OPENND_WINDOWS_ENUMERATIONS_H

/* The values of an enumeration become flags: | & ^ ~ give a value of the enumeration, |= &= ^= change one. In C, where
 * the values are integers, the macro is nothing. It may stand within extern "C". */
#ifdef __cplusplus

#include <type_traits>

#define DEFINE_ENUM_FLAG_OPERATORS(Enumeration)                                                        \
    extern "C++" {                                                                                     \
    OPENND_FLAG_OPERATOR(Enumeration, |)                                                               \
    OPENND_FLAG_OPERATOR(Enumeration, &)                                                               \
    OPENND_FLAG_OPERATOR(Enumeration, ^)                                                               \
    [[maybe_unused]] constexpr inline Enumeration operator~(Enumeration flags) noexcept {              \
        return static_cast<Enumeration>(~static_cast<std::underlying_type<Enumeration>::type>(flags)); \
    }                                                                                                  \
    }

#define OPENND_FLAG_OPERATOR(Enumeration, sign)                                                                       \
    [[maybe_unused]] constexpr inline Enumeration operator sign(Enumeration one, Enumeration other) noexcept {        \
        using Integer = std::underlying_type<Enumeration>::type;                                                      \
        return static_cast<Enumeration>(static_cast<Integer>(one) sign static_cast<Integer>(other));                  \
    }                                                                                                                 \
    [[maybe_unused]] constexpr inline Enumeration& operator sign##=(Enumeration& flags, Enumeration other) noexcept { \
        return flags = flags sign other;                                                                              \
    }

#else
#define DEFINE_ENUM_FLAG_OPERATORS(Enumeration)
#endif

#endif
