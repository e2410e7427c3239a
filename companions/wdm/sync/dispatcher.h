// SPDX-License-Identifier: MIT
// Objects that threads wait for: a header with the object's type and state. Waiters are listed outside the object,
// under a lock chosen by the header's address, so that a signal is handed over exactly as the kernel does it, and the
// header may be freed as soon as a waiter has been let go.
#pragma once

#include "kernel/events.h"
#include "windows/sync/deadline.h"

namespace opennd::wdm {

inline constexpr ULONG kNotificationEvent = 0x4E45564E;
inline constexpr ULONG kSynchronizationEvent = 0x4E455653;
inline constexpr ULONG kThread = 0x4E455648;  // signalled when it has ended; never reset

void initialize(DISPATCHER_HEADER& header, ULONG kind, bool signalled);

bool is_signalled(DISPATCHER_HEADER& header);

// Releases all waiters; for a synchronization event the oldest one, and only without waiters the event stays signalled.
// Returns whether it was signalled before.
bool signal(DISPATCHER_HEADER& header);
bool reset(DISPATCHER_HEADER& header);

// Returns false if the deadline has passed.
bool wait(DISPATCHER_HEADER& header, const windows::Deadline& deadline);

}  // namespace opennd::wdm
