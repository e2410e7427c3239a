/* SPDX-License-Identifier: MIT
 *
 * windows.h: the part of Win32 that Network Direct programs use, on Linux. Declarations for libopennd-windows.
 *
 * Each declaration works as on Windows. Unsupported functions are not declared, so that a program fails when it is
 * compiled and not when it runs. Each topic has a file in win32/. docs/porting.md tells how to build a Windows program
 * with these.
 */
#ifndef OPENND_WINDOWS_WINDOWS_H
#define OPENND_WINDOWS_WINDOWS_H

#include <ndcom.h>

#include "guiddef.h"
#include "sal.h"
#include "win32/arithmetic.h"
#include "win32/atomics.h"
#include "win32/bits.h"
#include "win32/clock.h"
#include "win32/code_pages.h"
#include "win32/command_line.h"
#include "win32/comparison.h"
#include "win32/console.h"
#include "win32/conventions.h"
#include "win32/debug.h"
#include "win32/disks.h"
#include "win32/entry.h"
#include "win32/enumerations.h"
#include "win32/environment.h"
#include "win32/errors.h"
#include "win32/events.h"
#include "win32/exceptions.h"
#include "win32/fast_fail.h"
#include "win32/file_mappings.h"
#include "win32/files.h"
#include "win32/handles.h"
#include "win32/heaps.h"
#include "win32/integer_limits.h"
#include "win32/interlocked_lists.h"
#include "win32/layout.h"
#include "win32/literals.h"
#include "win32/locks.h"
#include "win32/memory.h"
#include "win32/messages.h"
#include "win32/modules.h"
#include "win32/mutexes.h"
#include "win32/paths.h"
#include "win32/pointer_numbers.h"
#include "win32/ports.h"
#include "win32/printing.h"
#include "win32/priority.h"
#include "win32/secure_memory.h"
#include "win32/statuses.h"
#include "win32/system.h"
#include "win32/text.h"
#include "win32/thread_pool.h"
#include "win32/thread_storage.h"
#include "win32/threads.h"
#include "win32/types.h"
#include "win32/virtual_memory.h"
#include "win32/waitable_timers.h"

/* The seldom used headers, as on Windows. */
#ifndef WIN32_LEAN_AND_MEAN
#include "rpc.h"
#endif

#endif

/* Outside the guard: WIN32_NO_STATUS may have been taken back since, and INITGUID defined. */
#include "guiddef.h"
#include "win32/statuses.h"
