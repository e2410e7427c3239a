// SPDX-License-Identifier: MIT
// Association and delivery; see overlapped_file.h.
#include "platform/waiting/overlapped_file.h"

#include <utility>

namespace opennd {

Status OverlappedFile::associate(Ref<CompletionPort> port, std::uintptr_t key) {
    const Held held(mutex_);
    if (!port || associated_.load(std::memory_order_relaxed)) return Status::invalid_parameter;
    port_ = std::move(port);
    key_ = key;
    associated_.store(true, std::memory_order_release);
    return Status::success;
}

void OverlappedFile::deliver(void* overlapped, std::uintptr_t status, std::uint32_t bytes) {
    if (!associated_.load(std::memory_order_acquire)) return;
    port_->post({.key = key_, .overlapped = overlapped, .status = status, .bytes = bytes});
}

}  // namespace opennd
