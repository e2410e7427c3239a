// SPDX-License-Identifier: MIT
// The two halves of a KSPIN_LOCK: its state and the thread that holds it.
#pragma once

#include "kernel/locks.h"

namespace opennd::wdm {

// `kind` and `call` are for reports. Taken by its holder: reported, and taken for granted.
void acquire(KSPIN_LOCK& lock, const char* kind, const char* call);
// Returns false if somebody holds it.
bool try_acquire(KSPIN_LOCK& lock);
// Not held by the caller: reported, and left as it is.
void release(KSPIN_LOCK& lock, const char* kind, const char* call);

}  // namespace opennd::wdm
