// SPDX-License-Identifier: MIT
// The window bindings of one open by their tokens: a peer's invalidation names a token, and the end of a queue pair ends its windows
// in the hardware.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/lock.h"
#include "base/ref.h"
#include "model/token.h"

namespace opennd::verbs {

class HardwareQueuePair;
class VerbsWindowBinding;

// Thread-safe.
class WindowMap {
public:
    // From the making of the binding to its destructor; holds no reference.
    void add(VerbsWindowBinding& binding) EXCLUDES(mutex_);
    void remove(const VerbsWindowBinding& binding) EXCLUDES(mutex_);

    // Null: no binding on `queue_pair` has this token.
    Ref<VerbsWindowBinding> find(Token token, const HardwareQueuePair& queue_pair) const EXCLUDES(mutex_);
    // Calls release_hardware() of all bindings on `queue_pair`. No lock held.
    void release_hardware_of(const HardwareQueuePair& queue_pair) const EXCLUDES(mutex_);

private:
    mutable Mutex mutex_;  // taken under the lock of a completion queue; nothing is called under it
    std::unordered_map<std::uint32_t, VerbsWindowBinding*> bindings_ GUARDED_BY(mutex_);  // by remote token
};

}  // namespace opennd::verbs
