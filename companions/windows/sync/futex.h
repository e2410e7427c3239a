// SPDX-License-Identifier: MIT
// Sleeping while a word has a value, and waking these sleepers; within the process.
#pragma once

#include <atomic>
#include <cstdint>

#include "windows/sync/deadline.h"

namespace opennd::windows {

// Sleeps while `word` is `expected`, unless woken; may return for no reason. False: the deadline has passed.
bool futex_wait(const DWORD& word, DWORD expected, const Deadline& deadline);

void futex_wake_one(const DWORD& word);
void futex_wake_all(const DWORD& word);

// The words of Win32's locks are plain integers of the program's structures.
inline std::atomic_ref<DWORD> atomic(DWORD& word) { return std::atomic_ref<DWORD>(word); }

}  // namespace opennd::windows
