/* SPDX-License-Identifier: MIT
 *
 * macros.h: structures and their fields, alignment, limits of integers, assertions. min and max are
 * in min_max.h, which no other header includes (NDK-HOST-31).
 */
#ifndef OPENND_KERNEL_MACROS_H
#define OPENND_KERNEL_MACROS_H

#include "../../windows/win32/integer_limits.h"
#include "../../windows/win32/layout.h"
#include "checking.h"
#include "types.h"

/* FIELD_OFFSET(NDK_LOGICAL_ADDRESS_MAPPING, AdapterPageArray[count]) in C++, too; see win32/layout.h. */
#define OPENND_OPEN_ENDED_NDK_LOGICAL_ADDRESS_MAPPING , OPENND_OFFSET_OF_ELEMENT

/* To a power of two. */
#define ALIGN_DOWN_BY(number, alignment)          ((ULONG_PTR)(number) & ~((ULONG_PTR)(alignment)-1))
#define ALIGN_UP_BY(number, alignment)            (ALIGN_DOWN_BY((ULONG_PTR)(number) + (alignment)-1, alignment))
#define ALIGN_DOWN(number, type)                  ALIGN_DOWN_BY(number, sizeof(type))
#define ALIGN_UP(number, type)                    ALIGN_UP_BY(number, sizeof(type))
#define ALIGN_DOWN_POINTER_BY(pointer, alignment) ((PVOID)ALIGN_DOWN_BY(pointer, alignment))
#define ALIGN_UP_POINTER_BY(pointer, alignment)   ((PVOID)ALIGN_UP_BY(pointer, alignment))

/* Whether a parameter that may be left out is there. */
#define ARGUMENT_PRESENT(argument) ((argument) != NULL)

/* 1, as in a checked build; 0 in a program that defines NDEBUG. */
#ifndef DBG
#ifdef NDEBUG
#define DBG 0
#else
#define DBG 1
#endif
#endif

/* NT_ASSERT looks in a checked build only, NT_VERIFY evaluates in any; a FALSE one is reported as a broken rule. Both are
 * expressions: whether it held. */
#define NT_VERIFY(expression) \
    ((expression) ? TRUE : (opennd_wdm_assertion_failed(#expression, __FILE__, __LINE__), FALSE))
#if DBG
#define NT_ASSERT(expression) NT_VERIFY(expression)
#define ASSERT(expression)    ((void)NT_VERIFY(expression))
#else
#define NT_ASSERT(expression) TRUE
#define ASSERT(expression)    ((void)0)
#endif
#define NT_ASSERTMSG(text, expression) NT_ASSERT(expression)
#define ASSERTMSG(text, expression)    ASSERT(expression)

/* Reports a caller at DISPATCH_LEVEL or above. */
#define PAGED_CODE() opennd_wdm_paged_code(__func__)

#endif
