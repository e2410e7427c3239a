// SPDX-License-Identifier: MIT
// The state of each interface that was asked for. No state is destroyed: an interface that comes back has another
// index.
#pragma once

#include <cstdint>
#include <map>

#include "base/lock.h"
#include "ndk/object/device_state.h"

namespace opennd {

// Thread-safe.
class DeviceStates {
public:
    // Of the interface with this index; lives as long as this.
    DeviceState& at(std::uint32_t index) EXCLUDES(mutex_) {
        const Held lock(mutex_);
        return states_.try_emplace(index, index).first->second;
    }

private:
    Mutex mutex_;  // nothing is called under it
    std::map<std::uint32_t, DeviceState> states_ GUARDED_BY(mutex_);
};

}  // namespace opennd
