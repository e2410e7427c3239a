// SPDX-License-Identifier: MIT
// The window bindings of one open by their tokens: a peer's invalidation names a token, and the end of a queue pair ends its windows
// in the hardware.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/lock.h"
#include "base/ref.h"
#include "model/token.h"
#include "transport/window_binding.h"

namespace opennd::verbs {

class RequestOwner;

// A binding as the map sees it.
class MappedWindow : public TransportWindowBinding {
public:
    virtual const RequestOwner* queue_pair() const = 0;
    // Its ibv_qp is about to go, and the ibv_mw goes before: some devices keep an ibv_qp as long as a window is bound to it. The
    // binding stays what it is, out of reach (ND2-MW-07). No lock held.
    virtual void release_hardware() = 0;
};

// Thread-safe.
class WindowMap {
public:
    // From the making of the binding to its destructor; holds no reference.
    void add(MappedWindow& binding) EXCLUDES(mutex_);
    void remove(const MappedWindow& binding) EXCLUDES(mutex_);

    // Null: no binding on `queue_pair` has this token.
    Ref<MappedWindow> find(Token token, const RequestOwner& queue_pair) const EXCLUDES(mutex_);
    // Calls release_hardware() of all bindings on `queue_pair`. No lock held.
    void release_hardware_of(const RequestOwner& queue_pair) const EXCLUDES(mutex_);

private:
    mutable Mutex mutex_;  // taken under the lock of a completion queue; nothing is called under it
    std::unordered_map<std::uint32_t, MappedWindow*> bindings_ GUARDED_BY(mutex_);  // by remote token
};

}  // namespace opennd::verbs
