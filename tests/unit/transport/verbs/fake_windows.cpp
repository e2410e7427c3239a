// SPDX-License-Identifier: MIT
// See fake_windows.h.
#include "unit/transport/verbs/fake_windows.h"

#include <cerrno>

#include "unit/transport/verbs/fake_device.h"

namespace opennd::verbs {

ibv_mw* FakeWindows::allocate(ibv_pd* domain, ibv_mw_type type) {
    FakeDevice& device = FakeDevice::of(domain->context);
    const std::lock_guard lock(device.mutex_);
    if (device.refuses_windows) return errno = ENOMEM, nullptr;
    auto* const window = new ibv_mw{};
    window->context = domain->context;
    window->pd = domain;
    window->type = type;
    window->rkey = device.last_key_ += 0x100;
    ++device.counts_.windows;
    return window;
}

int FakeWindows::free(ibv_mw* window) {
    FakeDevice& device = FakeDevice::of(window->context);
    const std::lock_guard lock(device.mutex_);
    device.windows_.bound_.erase(window->rkey);
    --device.counts_.windows;
    delete window;
    return 0;
}

void FakeWindows::bind(const FakeRequest& request, const void* owner) {
    bound_[request.remote_key] = {request.part.addr, request.part.length, request.part.mw_access_flags, owner};
}

bool FakeWindows::take(std::uint32_t key, const void* owner) {
    const auto found = bound_.find(key);
    if (found == bound_.end() || found->second.owner != owner) return false;
    bound_.erase(found);
    return true;
}

bool FakeWindows::grants(std::uint64_t address, std::uint32_t bytes, std::uint32_t key, int right,
                         const void* owner) const {
    const auto found = bound_.find(key);
    return found != bound_.end() && found->second.owner == owner && address >= found->second.address &&
           address + bytes <= found->second.address + found->second.bytes &&
           (found->second.rights & static_cast<unsigned>(right)) != 0;
}

}  // namespace opennd::verbs
