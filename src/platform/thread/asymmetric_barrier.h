// SPDX-License-Identifier: MIT
// A store-load barrier that costs only one side, across processes. Both sides of a Dekker pattern ("I store my flag,
// then look at yours") need a full barrier between store and load. When one side is hot and the other rare, the rare
// side executes the barrier on both processors (membarrier(2)) and the hot side pays nothing.
//
// The pattern:   hot side                      rare side
//                publish item (store)          announce sleep (store)
//                light_barrier()               heavy_barrier()
//                look for a sleeper (load)     look for an item (load)
// At least one of them sees the other. Use it on memory that is accessed with atomics.
#pragma once

#include <atomic>

namespace opennd {

// True if this process may use light_barrier(): the kernel has MEMBARRIER_CMD_GLOBAL_EXPEDITED and this process is
// registered for it, so that other processes' heavy barriers reach its threads. Probed and registered once, on the
// first call. Any thread. Across processes the pattern holds only if *both* report true: exchange the answers when
// connecting, and use full_barrier() on both sides otherwise.
bool asymmetric_barrier_available();

// The rare side: a full barrier on every processor that runs a thread of a registered process, this thread included.
// Some microseconds. A plain full barrier if asymmetric_barrier_available() is false. Any thread.
void heavy_barrier();

// The hot side: keeps the compiler from reordering, no instruction. Legal only if asymmetric_barrier_available() is
// true here and the rare side uses heavy_barrier() with its own asymmetric_barrier_available() true.
inline void light_barrier() { std::atomic_signal_fence(std::memory_order_seq_cst); }

// The hot side where light_barrier() is not legal: an ordinary full barrier.
inline void full_barrier() { __sync_synchronize(); }

}  // namespace opennd
