// SPDX-License-Identifier: MIT
// VerbsWindowBinding: see window_binding.h.
#include "transport/verbs/memory/window_binding.h"

#include <cerrno>
#include <chrono>
#include <utility>

#include "platform/process/clock.h"
#include "transport/verbs/device/rdma_core.h"
#include "transport/verbs/memory/open_device.h"

namespace opennd::verbs {
namespace {

// The time that the end of a window waits for requests about it: for those before them, that is, unless the peer is
// slow.
constexpr std::chrono::seconds kRequestTime{1};

}  // namespace

Result<Ref<VerbsWindowBinding>> VerbsWindowBinding::create(Ref<OpenDevice> adapter, AwaitedQueuePair& queue_pair,
                                                           const ibv_mw_bind_info& part, const BindingTerms& terms) {
    Result<ibv_mw*> window = adapter->window_pool().take();
    if (!window.ok()) return window.status();
    Ref<VerbsWindowBinding> made;
    try {
        made = Ref<VerbsWindowBinding>(new VerbsWindowBinding(adapter, queue_pair, window.value(), part, terms));
    } catch (...) {
        adapter->window_pool().destroy(window.value());
        throw;
    }
    adapter->windows().add(*made);
    return made;
}

VerbsWindowBinding::VerbsWindowBinding(Ref<OpenDevice> adapter, AwaitedQueuePair& queue_pair, ibv_mw* window,
                                       const ibv_mw_bind_info& part, const BindingTerms& terms)
    : adapter_(std::move(adapter)),
      queue_pair_(queue_pair),
      queue_pair_reference_(&queue_pair.object()),
      part_(part),
      token_(to_token(ibv_inc_rkey(window->rkey))),
      terms_(terms),
      window_(window) {}

VerbsWindowBinding::~VerbsWindowBinding() {
    adapter_->windows().remove(*this);
    const Held lock(mutex_);
    give_window_back();
}

bool VerbsWindowBinding::alive() const {
    if (terms_.ends_with_connection && queue_pair_.state() == QueuePairState::error) return false;
    return can_end();
}

void VerbsWindowBinding::end() {
    wait_for_requests();
    const Held lock(mutex_);
    give_window_back();
    state_.store(State::ended, std::memory_order_release);
}

// Returns true if requests about the window are on their way. In error the hardware is done with all of them.
bool VerbsWindowBinding::has_requests() const {
    return requests_.load(std::memory_order_acquire) != 0 && queue_pair_.state() != QueuePairState::error;
}

void VerbsWindowBinding::wait_for_requests() {
    if (!has_requests()) return;
    const SteadyTime end = now() + kRequestTime;
    queue_pair_.begin_awaiting();
    {
        const Held lock(mutex_);
        while (has_requests() && settled_.wait_until(mutex_, end)) {
        }
    }
    queue_pair_.end_awaiting();
}

void VerbsWindowBinding::tell_settled() {
    const Held lock(mutex_);
    settled_.notify_all();
}

// Gives the ibv_mw back: to the pool if it was invalidated, and so is as a new one; any other may have a Bind or a
// peer.
void VerbsWindowBinding::give_window_back() {
    ibv_mw* const window = std::exchange(window_, nullptr);
    if (!window) return;
    if (state_.load(std::memory_order_acquire) == State::invalidated)
        adapter_->window_pool().give(window);
    else
        adapter_->window_pool().destroy(window);
}

void VerbsWindowBinding::release_hardware() {
    const Held lock(mutex_);
    give_window_back();
}

int VerbsWindowBinding::post_bind(ibv_qp* hardware, ibv_send_wr& request) {
    const Held lock(mutex_);
    if (!window_) return ENOENT;
    request.bind_mw.mw = window_;
    request.bind_mw.rkey = to_remote_key(token_);
    request.bind_mw.bind_info = part_;
    ibv_send_wr* refused = nullptr;
    const int error = hardware->context->ops.post_send(hardware, &request, &refused);
    // Some providers set the key themselves, and the others refuse the next Bind without it.
    if (error == 0) window_->rkey = request.bind_mw.rkey;
    return error;
}

bool VerbsWindowBinding::move(State from, State to) {
    return state_.compare_exchange_strong(from, to, std::memory_order_acq_rel, std::memory_order_acquire);
}

void VerbsWindowBinding::completed(Operation operation, bool succeeded, AfterLock& after) {
    if (operation == Operation::bind)
        (void)move(State::reserved, succeeded ? State::bound : State::abandoned);
    else if (succeeded)
        (void)invalidate();
    not_taken(after);
}

void VerbsWindowBinding::not_taken(AfterLock& after) {
    requests_.fetch_sub(1, std::memory_order_release);
    after.add(Turn::request, [self = Ref<VerbsWindowBinding>(this)] { self->tell_settled(); });
}

// The peer's message may be seen before the result of the Bind.
bool VerbsWindowBinding::invalidate() {
    return move(State::bound, State::invalidated) || move(State::reserved, State::invalidated);
}

}  // namespace opennd::verbs
