// SPDX-License-Identifier: MIT
// NDK at one interface, in this process: whether it is enabled, the instances that are open, and who is told of a change
// (spec section 5.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/lock.h"
#include "ndk/adapter_events.h"

namespace opennd {

class NdkAdapter;

// Thread-safe.
class DeviceState {
public:
    explicit DeviceState(std::uint32_t index) : index_(index) {}
    DeviceState(const DeviceState&) = delete;
    DeviceState& operator=(const DeviceState&) = delete;

    std::uint32_t index() const { return index_; }  // of the interface
    AdapterEvents& events() { return events_; }

    struct View {
        bool enabled;
        std::size_t instances;
    };
    View view() const EXCLUDES(mutex_);

    // Enabling lets instances that are still open go on; disabling begins their grace time. Returns when those that are to
    // be told have been, by this thread; instances may still be open. No effect if it is so already. Not from the callback
    // of an adapter, nor from that of an event.
    void set(bool enabled) EXCLUDES(turn_, mutex_);

    // An instance is open from here on. False: NDK is disabled.
    bool enter(NdkAdapter& instance) EXCLUDES(mutex_);
    // When this returns the instance's grace time is not touched any more.
    void leave(NdkAdapter& instance) EXCLUDES(mutex_);

private:
    const std::uint32_t index_;
    AdapterEvents events_;

    Mutex turn_;           // one change at a time; held while consumers are told, before all others
    mutable Mutex mutex_;  // before an instance's and its callback thread's
    bool enabled_ GUARDED_BY(mutex_) = true;
    std::vector<NdkAdapter*> instances_ GUARDED_BY(mutex_);  // not owned
};

}  // namespace opennd
