// SPDX-License-Identifier: MIT
// See memory_window.h.
#include "core/memory/memory_window.h"

#include <utility>

#include "base/explanation.h"
#include "core/adapter/adapter.h"

namespace opennd {

MemoryWindow::MemoryWindow(Ref<Adapter> adapter, void* invalidated_context)
    : adapter_(std::move(adapter)),
      invalidated_context_(invalidated_context),
      place_(adapter_->inventory().memory_windows) {
    place_.enter(*this);
}

MemoryWindow::~MemoryWindow() = default;

Status MemoryWindow::check_supported(const Adapter& adapter) {
    if (adapter.traits().max_window_bytes != 0) return Status::success;
    return explain(Status::not_supported, {.object = phrase("adapter {}", adapter.opened_on().name),
                                           .operation = "CreateMemoryWindow",
                                           .asked = "a memory window",
                                           .limit = "none: the adapter has no memory windows (MaxWindowSize 0)",
                                           .remedy = "give the peer the token of a memory region with remote rights",
                                           .requirement = "NDK-MW-01",
                                           .imposed_by = adapter.imposer(&AdapterTraits::max_window_bytes)});
}

Token MemoryWindow::remote_token() const {
    const Held lock(mutex_);
    return binding_ && binding_->alive() ? binding_->remote_token() : Token::none;
}

Status MemoryWindow::begin_bind(const QueuePair& queue_pair) {
    const Held lock(mutex_);
    const bool bound = binding_ && binding_->alive() && !(being_invalidated_ && bound_on_ == &queue_pair);
    if (being_bound_ || bound) return Status::invalid_state;
    being_bound_ = true;
    return Status::success;
}

void MemoryWindow::bound(Ref<TransportWindowBinding> binding, const QueuePair& queue_pair) {
    const Held lock(mutex_);
    all_.add(binding);
    binding_ = std::move(binding);
    bound_on_ = &queue_pair;
    being_bound_ = false;
    being_invalidated_ = false;
}

void MemoryWindow::bind_failed() {
    const Held lock(mutex_);
    being_bound_ = false;
}

Ref<TransportWindowBinding> MemoryWindow::binding_on(const QueuePair& queue_pair) const {
    const Held lock(mutex_);
    if (!binding_ || !binding_->alive() || bound_on_ != &queue_pair || being_invalidated_) return nullptr;
    return binding_;
}

void MemoryWindow::invalidate_posted(const Ref<TransportWindowBinding>& binding) {
    const Held lock(mutex_);
    if (binding_ == binding) being_invalidated_ = true;
}

void MemoryWindow::close() {
    BindingList all;
    {
        const Held lock(mutex_);
        std::swap(all, all_);
        binding_ = nullptr;
    }
    BindingList::end(std::move(all));
}

}  // namespace opennd
