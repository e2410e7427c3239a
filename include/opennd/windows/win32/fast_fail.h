/* SPDX-License-Identifier: MIT
 *
 * fast_fail.h: the end of a process that cannot trust itself any more.
 */
#ifndef OPENND_WINDOWS_FAST_FAIL_H
#define OPENND_WINDOWS_FAST_FAIL_H

#include "conventions.h"

#define FAST_FAIL_CORRUPT_LIST_ENTRY      3
#define FAST_FAIL_INVALID_ARG             5
#define FAST_FAIL_FATAL_APP_EXIT          7
#define FAST_FAIL_RANGE_CHECK_FAILURE     8
#define FAST_FAIL_INVALID_REFERENCE_COUNT 14

/* Ends the process at once, by an instruction that does not exist: SIGILL, on AArch64 SIGTRAP. No function of the
 * program runs, other than a handler of that signal. The code is in the register that Windows keeps it in, RCX or X0,
 * where a debugger finds it in the core file. */
#if !__has_builtin(__fastfail)
static __inline DECLSPEC_NORETURN void __fastfail(unsigned int code) {
#if defined(__x86_64__)
    __asm__ volatile("ud2" : : "c"(code) : "memory");
#else
    register unsigned long first __asm__("x0") = code;
    __asm__ volatile("brk #0xf003" : : "r"(first) : "memory");
#endif
    __builtin_unreachable();
}
#endif

#endif
