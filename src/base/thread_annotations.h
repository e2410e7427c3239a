// SPDX-License-Identifier: MIT
// Names for clang's -Wthread-safety attributes, which have no standard spelling. The one macro header under src/.
#pragma once

#if defined(__clang__)
#define OPENND_ATTRIBUTE(x) __attribute__((x))
#else
#define OPENND_ATTRIBUTE(x)
#endif

#define CAPABILITY(name)          OPENND_ATTRIBUTE(capability(name))
#define SCOPED_CAPABILITY         OPENND_ATTRIBUTE(scoped_lockable)
#define GUARDED_BY(lock)          OPENND_ATTRIBUTE(guarded_by(lock))
#define REQUIRES(...)             OPENND_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define ACQUIRE(...)              OPENND_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define RELEASE(...)              OPENND_ATTRIBUTE(release_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...)          OPENND_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define EXCLUDES(...)             OPENND_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define LOCK_RETURNED(lock)       OPENND_ATTRIBUTE(lock_returned(lock))
#define NO_THREAD_SAFETY_ANALYSIS OPENND_ATTRIBUTE(no_thread_safety_analysis)
