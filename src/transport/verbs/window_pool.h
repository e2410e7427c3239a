// SPDX-License-Identifier: MIT
// The ibv_mws of one open that no binding has: making one is a system call. The one that waited longest is taken first, so that
// its token, a key with 8 bits that count, is used again as late as possible.
#pragma once

#include <deque>

#include "base/lock.h"
#include "base/result.h"
#include "transport/verbs/device.h"

namespace opennd::verbs {

// Thread-safe.
class WindowPool {
public:
    // Both outlive it.
    WindowPool(Device& device, ibv_pd* domain) : device_(device), domain_(domain) {}
    // Empty: see clear().
    ~WindowPool() = default;
    WindowPool(const WindowPool&) = delete;
    WindowPool& operator=(const WindowPool&) = delete;

    // Of type 2, not bound. Explained: insufficient_resources, device_removed.
    Result<ibv_mw*> take() EXCLUDES(mutex_);
    // Not bound any more.
    void give(ibv_mw* window) EXCLUDES(mutex_);
    // Before the domain goes.
    void clear() EXCLUDES(mutex_);
    // Bound or not; no access of a peer is in progress on return.
    void destroy(ibv_mw* window);

private:
    Device& device_;
    ibv_pd* const domain_;
    Mutex mutex_;  // nothing is called under it
    std::deque<ibv_mw*> spare_ GUARDED_BY(mutex_);
};

}  // namespace opennd::verbs
