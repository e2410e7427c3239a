/* SPDX-License-Identifier: MIT
 *
 * layout.h: macros about arrays, fields and the structures that hold them (spec section 6.3).
 */
#ifndef OPENND_WINDOWS_LAYOUT_H
#define OPENND_WINDOWS_LAYOUT_H

#include "types.h"

/* Fields of classes with bases are asked for too; their place is known all the same. */
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#endif

#define FIELD_OFFSET(type, field)               ((LONG) __builtin_offsetof(type, field))
#define CONTAINING_RECORD(address, type, field) ((type*)((char*)(address) - __builtin_offsetof(type, field)))
#define RTL_FIELD_SIZE(type, field)             (sizeof(((type*)0)->field))
#define RTL_SIZEOF_THROUGH_FIELD(type, field)   (__builtin_offsetof(type, field) + RTL_FIELD_SIZE(type, field))

/* The number of elements of an array; in C++ a pointer does not compile. */
#ifdef __cplusplus
template <typename Element, SIZE_T Count>
char (&opennd_array_of_size(const Element (&)[Count]))[Count];
#define RTL_NUMBER_OF(array) (sizeof(opennd_array_of_size(array)))
#else
#define RTL_NUMBER_OF(array) (sizeof(array) / sizeof((array)[0]))
#endif
#define ARRAYSIZE(array) RTL_NUMBER_OF(array)
#define _countof(array)  RTL_NUMBER_OF(array)

#ifdef __cplusplus
#define C_ASSERT(condition) static_assert(condition, #condition)
#else
#define C_ASSERT(condition) _Static_assert(condition, #condition)
#endif

#endif
