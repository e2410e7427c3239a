// SPDX-License-Identifier: MIT
// Places where perf, bpftrace, SystemTap and gdb can look into a program that runs (docs/probes.md): static probes of the provider
// `opennd`. One that nobody watches costs a look at its counter of watchers. A build without <sys/sdt.h> has none.
#pragma once

#if __has_include(<sys/sdt.h>)
#define SDT_USE_VARIADIC  // STAP_PROBEV
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

// The numbers of watchers, by the names that <sys/sdt.h> expects. The kernel and tracers write them, from outside.
extern "C" {
[[gnu::visibility("hidden")]] extern unsigned short opennd_post_semaphore, opennd_complete_semaphore,
    opennd_connect_semaphore, opennd_refuse_semaphore, opennd_end_semaphore;
}

// Somebody watches the probe: for a caller that keeps OPENND_PROBE in a function of its own, off its path.
#define OPENND_IS_WATCHED(name) (opennd_##name##_semaphore != 0)
// name, then up to 12 numbers and pointers. They are evaluated while somebody watches.
#define OPENND_PROBE(name, ...)                     \
    do {                                            \
        if (OPENND_IS_WATCHED(name)) [[unlikely]]   \
            STAP_PROBEV(opennd, name, __VA_ARGS__); \
    } while (false)
#else
#define OPENND_IS_WATCHED(name) false
#define OPENND_PROBE(...)       static_cast<void>(0)
#endif
