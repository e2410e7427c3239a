/* SPDX-License-Identifier: MIT
 *
 * debug.h: talking to OpenND's log under the kernel debugger's names. Formats are Windows': %ld is 32
 * bits, %I64d 64, %wZ a UNICODE_STRING. Trace macros of WPP become nothing.
 */
#ifndef OPENND_KERNEL_DEBUG_H
#define OPENND_KERNEL_DEBUG_H

#include <stdarg.h>

#include "macros.h"
#include "status.h"

#define DPFLTR_DEFAULT_ID    101
#define DPFLTR_IHVDRIVER_ID  77
#define DPFLTR_IHVNETWORK_ID 80

/* Which of OpenND's levels each becomes: error, warning, debug, information. */
#define DPFLTR_ERROR_LEVEL   0
#define DPFLTR_WARNING_LEVEL 1
#define DPFLTR_TRACE_LEVEL   2
#define DPFLTR_INFO_LEVEL    3

/* In a checked build: KdPrint(("%d\n", n)). */
#if DBG
#define KdPrint(arguments)   DbgPrint arguments
#define KdPrintEx(arguments) DbgPrintEx arguments
#else
#define KdPrint(arguments)   ((void)0)
#define KdPrintEx(arguments) ((void)0)
#endif

#define KdBreakPoint()  __builtin_trap()
#define DbgBreakPoint() __builtin_trap()

#define WPP_INIT_TRACING(...)        ((void)0)
#define WPP_CLEANUP(...)             ((void)0)
#define WPP_RECORDER_INITIALIZE(...) ((void)0)
#define DoTraceMessage(...)          ((void)0)
#define TraceEvents(...)             ((void)0)

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* One line of the log for each line of the text. DbgPrint: at information; another ComponentId than the default, or a Level
 * that is not listed above, change nothing, or count as information. 0. */
ULONG NTAPI DbgPrint(const char* Format, ...);
ULONG NTAPI DbgPrintEx(ULONG ComponentId, ULONG Level, const char* Format, ...);
ULONG NTAPI vDbgPrintEx(ULONG ComponentId, ULONG Level, const char* Format, va_list arglist);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
