// SPDX-License-Identifier: MIT
// The tables that objects of this process point to. A child of fork gets new ones, and those it inherits then refuse: by
// its table an object is known to be the parent's, at no cost to the others (NDK-GEN-18).
#pragma once

#include "ndk/call/dispatch_tables.h"

namespace opennd {

// Any thread; valid as long as the process. Throws std::bad_alloc.
const DispatchTables& dispatch();

// Differs between a process and its children: for objects that are reached without a table.
unsigned process_generation();
// STATUS_DEVICE_REMOVED, explained.
NTSTATUS refuse_inherited() noexcept;

}  // namespace opennd
