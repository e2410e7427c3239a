// SPDX-License-Identifier: MIT
// See window_pool.h.
#include "transport/verbs/memory/window_pool.h"

#include <cerrno>
#include <system_error>
#include <vector>

#include "base/explanation.h"
#include "platform/process/errno_status.h"

namespace opennd::verbs {
namespace {

// The number of spare windows below which new ones are made, so that a pair of Bind and Invalidate does not take the
// same one each time.
constexpr std::size_t kLeastSpare = 16;
constexpr std::size_t kMostSpare = 64;

}  // namespace

void WindowPool::clear() {
    std::deque<ibv_mw*> spare;
    {
        const Held lock(mutex_);
        spare.swap(spare_);
    }
    for (ibv_mw* const window : spare) destroy(window);
}

Result<ibv_mw*> WindowPool::take() {
    {
        const Held lock(mutex_);
        if (spare_.size() >= kLeastSpare) {
            ibv_mw* const window = spare_.front();
            spare_.pop_front();
            return window;
        }
    }
    ibv_mw* const made = ibv_alloc_mw(domain_, IBV_MW_TYPE_2);
    if (made) return made;
    const int error = errno;
    if (device_.ended()) return device_.refuse_after_end("queue pair", "Bind");
    return explain(resource_status(error), {.object = "queue pair",
                                            .operation = "Bind",
                                            .asked = "one more bound memory window",
                                            .limit = phrase("the resources of RDMA device {}: {}", device_.facts().name,
                                                            std::generic_category().message(error)),
                                            .remedy = "invalidate or release windows that are bound",
                                            .requirement = "ND2-ADP-MW-01"});
}

void WindowPool::give(ibv_mw* window) {
    {
        const Held lock(mutex_);
        if (spare_.size() < kMostSpare) return spare_.push_back(window);
    }
    destroy(window);
}

void WindowPool::destroy(ibv_mw* window) {
    const int error = ibv_dealloc_mw(window);
    if (error != 0 && !device_.ended())
        log(LogLevel::error, "memory window: RDMA device {} does not end it: error {}", device_.facts().name, error);
}

void WindowMap::add(MappedWindow& binding) {
    const Held lock(mutex_);
    bindings_[value(binding.remote_token())] = &binding;
}

// Removes a binding, unless a later one has the token by now.
void WindowMap::remove(const MappedWindow& binding) {
    const Held lock(mutex_);
    const auto found = bindings_.find(value(binding.remote_token()));
    if (found != bindings_.end() && found->second == &binding) bindings_.erase(found);
}

Ref<MappedWindow> WindowMap::find(Token token, const AwaitedQueuePair& queue_pair) const {
    const Held lock(mutex_);
    const auto found = bindings_.find(value(token));
    if (found == bindings_.end() || found->second->queue_pair() != &queue_pair) return nullptr;
    return Ref<MappedWindow>::if_alive(found->second);
}

void WindowMap::release_hardware_of(const AwaitedQueuePair& queue_pair) const {
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
