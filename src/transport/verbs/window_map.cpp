// SPDX-License-Identifier: MIT
// See window_map.h.
#include "transport/verbs/window_map.h"

#include <vector>

namespace opennd::verbs {

void WindowMap::add(MappedWindow& binding) {
    const Held lock(mutex_);
    bindings_[value(binding.remote_token())] = &binding;
}

// A later binding may have the token by now.
void WindowMap::remove(const MappedWindow& binding) {
    const Held lock(mutex_);
    const auto found = bindings_.find(value(binding.remote_token()));
    if (found != bindings_.end() && found->second == &binding) bindings_.erase(found);
}

Ref<MappedWindow> WindowMap::find(Token token, const RequestOwner& queue_pair) const {
    const Held lock(mutex_);
    const auto found = bindings_.find(value(token));
    if (found == bindings_.end() || found->second->queue_pair() != &queue_pair) return nullptr;
    return Ref<MappedWindow>::if_alive(found->second);
}

void WindowMap::release_hardware_of(const RequestOwner& queue_pair) const {
    std::vector<Ref<MappedWindow>> bound;
    {
        const Held lock(mutex_);
        for (const auto& [token, binding] : bindings_)
            if (binding->queue_pair() == &queue_pair)
                if (Ref<MappedWindow> alive = Ref<MappedWindow>::if_alive(binding)) bound.push_back(std::move(alive));
    }
    for (const Ref<MappedWindow>& each : bound) each->release_hardware();
}

}  // namespace opennd::verbs
