/* SPDX-License-Identifier: MIT
 *
 * sys/timeb.h: the time of day in milliseconds, as Windows' C library has it.
 */
#ifndef OPENND_WINDOWS_SYS_TIMEB_H
#define OPENND_WINDOWS_SYS_TIMEB_H

#include <time.h>

#include "../win32/text.h"

struct _timeb {
    time_t time;            /* seconds since the beginning of 1970 UTC */
    unsigned short millitm; /* milliseconds beyond them */
    short timezone;         /* minutes that UTC is ahead of local time, without summer time */
    short dstflag;          /* not 0: the time zone has summer time now */
};
#define __timeb64 _timeb

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void __cdecl _ftime(struct _timeb* now);
/* 0; EINVAL: NULL. */
errno_t __cdecl _ftime_s(struct _timeb* now);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#define _ftime64   _ftime
#define _ftime64_s _ftime_s

#endif
