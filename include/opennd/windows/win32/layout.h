/* SPDX-License-Identifier: MIT
 *
 * layout.h: macros about arrays, fields and the structures that hold them.
 */
#ifndef OPENND_WINDOWS_LAYOUT_H
#define OPENND_WINDOWS_LAYOUT_H

#include "types.h"

/* Fields of classes with bases are asked for too; their place is known all the same. */
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#endif

/* Where a field is. The index of an array, as in FIELD_OFFSET(SOCKET_ADDRESS_LIST, Address[count]), may be known at run
 * time only; but gcc's offsetof takes no such index in C++, and its constant expressions take nothing but offsetof. So
 * there, SOCKET_ADDRESS_LIST is told apart by its name; of other structures the offset of the array itself can be had, and
 * count * sizeof(element) be added. */
#if defined(__cplusplus) && !defined(__clang__)
#define FIELD_OFFSET(type, field) OPENND_OFFSET_BY(OPENND_OPEN_ENDED_##type, OPENND_OFFSET_OF_FIELD, )(type, field)
#define OPENND_OFFSET_BY(...)     OPENND_SECOND_OF(__VA_ARGS__)

/* A structure listed here makes the first argument two, of which the second is taken. */
#define OPENND_OPEN_ENDED_SOCKET_ADDRESS_LIST , OPENND_OFFSET_OF_ELEMENT
#define OPENND_SECOND_OF(first, second, ...)  second

#define OPENND_OFFSET_OF_FIELD(type, field)   ((LONG) __builtin_offsetof(type, field))
#define OPENND_OFFSET_OF_ELEMENT(type, field) ((LONG)(LONG_PTR) & (((type*)0)->field))
#else
#define FIELD_OFFSET(type, field) ((LONG) __builtin_offsetof(type, field))
#endif

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

/* A word of Microsoft's compiler in C, too; of others since C23, and in <assert.h>. */
#if !defined(__cplusplus) && !defined(static_assert) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 202311L)
#define static_assert _Static_assert
#endif
#define C_ASSERT(condition) static_assert(condition, #condition)

/* Bytes to which heaps and the entries of interlocked lists are aligned. */
#define MEMORY_ALLOCATION_ALIGNMENT 16

#endif
