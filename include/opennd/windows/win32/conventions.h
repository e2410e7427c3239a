/* SPDX-License-Identifier: MIT
 *
 * conventions.h: words of Microsoft's compiler in declarations.
 *
 * There is one calling convention here, the platform's. A word that changes the code's meaning (align, dllexport,
 * noreturn) becomes the attribute that means the same; a word that only informs a tool becomes nothing. */
#ifndef OPENND_WINDOWS_CONVENTIONS_H
#define OPENND_WINDOWS_CONVENTIONS_H

/* ---- calling conventions ----------------------------------------------------------------------------------------- */

#define __cdecl
#define __stdcall
#define __fastcall
#define _cdecl
#define WINAPI
#define WINAPIV
#define WSAAPI
#define CALLBACK
#define APIENTRY
#define NTAPI
#define PASCAL

#define FAR
#define far
#define CONST     const
#define UNALIGNED /* x86-64 and AArch64 load from any address */

/* The direction of a parameter, in the words that were used before <sal.h>. */
#ifndef IN
#define IN
#endif
#ifndef OUT
#define OUT
#endif
#ifndef OPTIONAL
#define OPTIONAL
#endif

/* ---- declarations ------------------------------------------------------------------------------------------------ */

/* One word in the parentheses; a word that is not listed below does not compile. */
#define __declspec(word) OPENND_DECLSPEC_##word

#define OPENND_DECLSPEC_align(bytes)     __attribute__((aligned(bytes)))
#define OPENND_DECLSPEC_dllexport        __attribute__((visibility("default")))
#define OPENND_DECLSPEC_dllimport        __attribute__((visibility("default")))
#define OPENND_DECLSPEC_noinline         __attribute__((noinline))
#define OPENND_DECLSPEC_noreturn         __attribute__((noreturn))
#define OPENND_DECLSPEC_nothrow          __attribute__((nothrow))
#define OPENND_DECLSPEC_selectany        __attribute__((weak))
#define OPENND_DECLSPEC_thread           __thread
#define OPENND_DECLSPEC_deprecated(text) __attribute__((deprecated(text)))
#define OPENND_DECLSPEC_allocator
#define OPENND_DECLSPEC_novtable
#define OPENND_DECLSPEC_restrict
#define OPENND_DECLSPEC_uuid(text)

/* Bytes of a line of the processor's cache, as Windows counts them. */
#if defined(__x86_64__)
#define SYSTEM_CACHE_ALIGNMENT_SIZE 64
#else
#define SYSTEM_CACHE_ALIGNMENT_SIZE 128
#endif

#define DECLSPEC_ALIGN(bytes) __attribute__((aligned(bytes)))
#define DECLSPEC_CACHEALIGN   DECLSPEC_ALIGN(SYSTEM_CACHE_ALIGNMENT_SIZE)
#define DECLSPEC_NOINLINE     __attribute__((noinline))
#define DECLSPEC_NORETURN     __attribute__((noreturn))
#define DECLSPEC_SELECTANY    __attribute__((weak))
#define DECLSPEC_ALLOCATOR
#define DECLSPEC_NOVTABLE
#define DECLSPEC_IMPORT
#define DECLSPEC_EXPORT __attribute__((visibility("default")))

/* __inline is a word of gcc and clang too. */
#define __forceinline __inline __attribute__((always_inline))
#define FORCEINLINE static __inline __attribute__((always_inline))

#ifdef __cplusplus
#define EXTERN_C_START extern "C" {
#define EXTERN_C_END   }
#else
#define EXTERN_C_START
#define EXTERN_C_END
#endif

/* ---- types and expressions --------------------------------------------------------------------------------------- */

#define __int8 char
#define __int16 short
#define __int32 int
#define __int64 long /* int64_t here: one type with LONGLONG and INT64 */

#define __assume(condition)           ((condition) ? (void)0 : __builtin_unreachable())
#define __analysis_assume(condition)  ((void)0) /* not evaluated, as with Microsoft's compiler */
#define __annotation(...)             ((void)0)
#define __debugbreak()                __builtin_trap()
#define __int2c()                     __builtin_trap()
#define UNREFERENCED_PARAMETER(p)     ((void)(p))
#define DBG_UNREFERENCED_PARAMETER(p) ((void)(p))

/* A call with arguments that are checked and not evaluated, as with Microsoft's compiler: __noop("text", 1), or the
 * word alone. */
#define __noop (void)sizeof opennd_noop
#ifdef __cplusplus
extern "C" int (*const opennd_noop)(...); /* declared only */
#elif __STDC_VERSION__ >= 202311L
extern int (*const opennd_noop)(...);
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
extern int (*const opennd_noop)();
#pragma GCC diagnostic pop
#endif

/* Ends a case that goes on in the next, as a statement. */
#define __fallthrough __attribute__((fallthrough))
#define OACR_WARNING_PUSH
#define OACR_WARNING_POP
#define OACR_WARNING_DISABLE(...)
#define OACR_WARNING_SUPPRESS(...)
#define OACR_WARNING_ENABLE(...)

/* #pragma warning, prefast and comment(lib, ...) speak to tools that are not here. gcc before 13 hears this in C only: C++ is
 * compiled with -Wno-unknown-pragmas, as the CMake target has it. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#ifndef __pragma
#define __pragma(...)
#endif

#endif
