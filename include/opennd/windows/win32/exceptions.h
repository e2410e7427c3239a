/* SPDX-License-Identifier: MIT
 *
 * exceptions.h: Windows' description of a fault. The types alone, for programs that pass them around: nothing here
 * makes one, and __try and __except, which turn faults into exceptions, do not compile.
 */
#ifndef OPENND_WINDOWS_EXCEPTIONS_H
#define OPENND_WINDOWS_EXCEPTIONS_H

#include "types.h"

#define EXCEPTION_MAXIMUM_PARAMETERS 15

#define EXCEPTION_EXECUTE_HANDLER    1
#define EXCEPTION_CONTINUE_SEARCH    0
#define EXCEPTION_CONTINUE_EXECUTION (-1)

typedef struct _EXCEPTION_RECORD {
    DWORD ExceptionCode;
    DWORD ExceptionFlags;
    struct _EXCEPTION_RECORD* ExceptionRecord;
    PVOID ExceptionAddress;
    DWORD NumberParameters;
    ULONG_PTR ExceptionInformation[EXCEPTION_MAXIMUM_PARAMETERS];
} EXCEPTION_RECORD, *PEXCEPTION_RECORD;

/* The registers, which are another matter on each system. */
typedef struct _CONTEXT CONTEXT, *PCONTEXT;

typedef struct _EXCEPTION_POINTERS {
    PEXCEPTION_RECORD ExceptionRecord;
    PCONTEXT ContextRecord;
} EXCEPTION_POINTERS, *PEXCEPTION_POINTERS, *LPEXCEPTION_POINTERS;

OPENND_ASSERT_SIZE(EXCEPTION_RECORD, 152, 8);

#endif
