// SPDX-License-Identifier: MIT
// What can be waited for: a header that says what it is and whether it is signalled. Who waits is listed beside, under a
// lock chosen by the header's address, so that a signal is handed over exactly as the kernel does it, and the header may be
// freed as soon as a waiter has been let go.
#pragma once

#include "kernel/events.h"
#include "windows/deadline.h"

namespace opennd::wdm {

inline constexpr ULONG kNotificationEvent = 0x4E45564E;
inline constexpr ULONG kSynchronizationEvent = 0x4E455653;
inline constexpr ULONG kThread = 0x4E455648;  // signalled when it has ended; never reset

void initialize(DISPATCHER_HEADER& header, ULONG kind, bool signalled);

bool is_signalled(DISPATCHER_HEADER& header);

// Lets all who wait now pass; of a synchronization event the one that has waited longest, and only without one it stays
// signalled. Whether it was signalled before.
bool signal(DISPATCHER_HEADER& header);
bool reset(DISPATCHER_HEADER& header);

// False: the deadline has passed.
bool wait(DISPATCHER_HEADER& header, const windows::Deadline& deadline);

}  // namespace opennd::wdm
