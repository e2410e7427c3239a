// SPDX-License-Identifier: MIT
// Places where perf, bpftrace, SystemTap and gdb can look into a program that runs (docs/probes.md): static probes of the provider
// `opennd`. One that nobody watches is one instruction that does nothing. A build without <sys/sdt.h> has none.
#pragma once

#if __has_include(<sys/sdt.h>)
#define SDT_USE_VARIADIC  // STAP_PROBEV
#include <sys/sdt.h>
// NAME, then up to 12 numbers and pointers. They are evaluated whether somebody watches or not.
#define OPENND_PROBE(...) STAP_PROBEV(opennd, __VA_ARGS__)
#else
#define OPENND_PROBE(...) static_cast<void>(0)
#endif
