// SPDX-License-Identifier: MIT
// See probes.h.
#include "base/probes.h"

#if __has_include(<sys/sdt.h>)
// Where tracers look for them, and used: the notes of the probes name them, which no compiler sees.
#define OPENND_WATCHERS(name) [[gnu::section(".probes"), gnu::used]] unsigned short opennd_##name##_semaphore = 0

OPENND_WATCHERS(post);
OPENND_WATCHERS(complete);
OPENND_WATCHERS(connect);
OPENND_WATCHERS(refuse);
OPENND_WATCHERS(end);
#endif
