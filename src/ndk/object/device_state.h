// SPDX-License-Identifier: MIT
// NDK at one interface, in this process: whether it is enabled, its open instances, and the consumers to tell of a
// change (NDK-STAT-20, -21).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/lock.h"
#include "ndk/object/adapter_events.h"

namespace opennd {

// An open instance of the device.
class DeviceInstance {
public:
    // begin_grace() starts the time after which the instance is removed; no removal follows end_grace(). One call at a time.
    virtual void begin_grace() = 0;
    virtual void end_grace() = 0;

protected:
    ~DeviceInstance() = default;
};

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

    // Enabling lets instances that are still open go on; disabling begins their grace time. Returns when this thread
    // has told all listed consumers; instances may still be open. No effect if the state is the same already. Not from
    // an adapter's callback, nor from an event's.
    void set(bool enabled) EXCLUDES(turn_, mutex_);

    // Lists the instance as open. False: NDK is disabled.
    bool enter(DeviceInstance& instance) EXCLUDES(mutex_);
    // No access to the instance's grace time after this returns.
    void leave(DeviceInstance& instance) EXCLUDES(mutex_);

private:
    const std::uint32_t index_;
    AdapterEvents events_;

    Mutex turn_;           // one change at a time; held while consumers are told, before all others
    mutable Mutex mutex_;  // before an instance's and its callback thread's
    bool enabled_ GUARDED_BY(mutex_) = true;
    std::vector<DeviceInstance*> instances_ GUARDED_BY(mutex_);  // not owned
};

// The state of each interface that was asked for. No state is destroyed: an interface that comes back has another
// index. Thread-safe.
class DeviceStates {
public:
    // Returns the state of the interface with this index, which lives as long as this.
    DeviceState& at(std::uint32_t index) EXCLUDES(mutex_) {
        const Held lock(mutex_);
        return states_.try_emplace(index, index).first->second;
    }

private:
    Mutex mutex_;  // nothing is called under it
    std::map<std::uint32_t, DeviceState> states_ GUARDED_BY(mutex_);
};

}  // namespace opennd
