// SPDX-License-Identifier: MIT
// The memory windows of one open: those that no binding has, and the bindings by their tokens.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "model/token.h"
#include "transport/verbs/device/device.h"
#include "transport/window_binding.h"

namespace opennd::verbs {

class AwaitedQueuePair;

// The ibv_mws that no binding has: making one is a system call. The one that waited longest is taken first, so that its token, a key
// with 8 bits that count, is used again as late as possible. Thread-safe.
class WindowPool {
public:
    // Both outlive it.
    WindowPool(Device& device, ibv_pd* domain) : device_(device), domain_(domain) {}
    // The pool is empty when this runs: see clear().
    ~WindowPool() = default;
    WindowPool(const WindowPool&) = delete;
    WindowPool& operator=(const WindowPool&) = delete;

    // Takes a window of type 2 that is not bound. Explained: insufficient_resources, device_removed.
    Result<ibv_mw*> take() EXCLUDES(mutex_);
    // Gives a window back that is not bound any more.
    void give(ibv_mw* window) EXCLUDES(mutex_);
    // Destroys all spare windows, before the domain goes.
    void clear() EXCLUDES(mutex_);
    // Destroys a window, bound or not; no access of a peer is in progress on return.
    void destroy(ibv_mw* window);

private:
    Device& device_;
    ibv_pd* const domain_;
    Mutex mutex_;  // nothing is called under it
    std::deque<ibv_mw*> spare_ GUARDED_BY(mutex_);
};

// A binding as the map sees it.
class MappedWindow : public TransportWindowBinding {
public:
    virtual const AwaitedQueuePair* queue_pair() const = 0;
    // Lets the ibv_mw go, before its ibv_qp goes: some devices keep an ibv_qp as long as a window is bound to it. The
    // binding stays as it is, out of reach (ND2-MW-07). No lock held.
    virtual void release_hardware() = 0;
};

// The bindings by their tokens: a peer's invalidation names a token, and the end of a queue pair ends its windows in the hardware.
// Thread-safe.
class WindowMap {
public:
    // Lists a binding, from its making to its destructor; holds no reference.
    void add(MappedWindow& binding) EXCLUDES(mutex_);
    void remove(const MappedWindow& binding) EXCLUDES(mutex_);

    // Returns the binding on `queue_pair` with this token, or null.
    Ref<MappedWindow> find(Token token, const AwaitedQueuePair& queue_pair) const EXCLUDES(mutex_);
    // Calls release_hardware() of all bindings on `queue_pair`. No lock held.
    void release_hardware_of(const AwaitedQueuePair& queue_pair) const EXCLUDES(mutex_);

private:
    mutable Mutex mutex_;  // taken under the lock of a completion queue; nothing is called under it
    std::unordered_map<std::uint32_t, MappedWindow*> bindings_ GUARDED_BY(mutex_);  // by remote token
};

}  // namespace opennd::verbs
