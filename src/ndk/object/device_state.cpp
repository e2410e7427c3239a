// SPDX-License-Identifier: MIT
// See device_state.h.
#include "ndk/object/device_state.h"

#include <algorithm>

namespace opennd {

DeviceState::View DeviceState::view() const {
    const Held lock(mutex_);
    return {enabled_, instances_.size()};
}

void DeviceState::set(bool enabled) {
    const Held turn(turn_);
    {
        const Held lock(mutex_);
        if (enabled_ == enabled) return;
        enabled_ = enabled;
        for (DeviceInstance* const instance : instances_) enabled ? instance->end_grace() : instance->begin_grace();
    }
    events_.tell(index_, enabled ? NetEventNDKEnable : NetEventNDKDisable);
}

bool DeviceState::enter(DeviceInstance& instance) {
    const Held lock(mutex_);
    if (enabled_) instances_.push_back(&instance);
    return enabled_;
}

void DeviceState::leave(DeviceInstance& instance) {
    const Held lock(mutex_);
    instances_.erase(std::find(instances_.begin(), instances_.end(), &instance));
}

}  // namespace opennd
