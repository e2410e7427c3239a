// SPDX-License-Identifier: MIT
// SoftQueuePair, the posts of the program: see queue_pair.h.
#include "base/probes.h"
#include "transport/soft/engine/queue_pair.h"

namespace opennd::soft {
namespace {

// A function of its own, so that a request which nobody watches saves no registers for it.
[[gnu::cold, gnu::noinline]] void probe_post(const SoftQueuePair* queue_pair, const WorkRequest& request) {
    OPENND_PROBE(post, queue_pair, static_cast<int>(request.operation), request.context, request.sges.size());
}

}  // namespace

Status SoftQueuePair::post(const WorkRequest& request) {
    if (OPENND_IS_WATCHED(post)) [[unlikely]]
        probe_post(this, request);
    switch (request.operation) {
        case Operation::receive: return post_receive(request);
        case Operation::read:
        case Operation::write: return post_one_sided(request);
        default: return post_request(request);
    }
}

// Posts an initiator request. not_connected, queue_full, or success: the request will complete.
Status SoftQueuePair::post_request(const WorkRequest& request) {
    const auto length_bytes = static_cast<std::uint32_t>(total_length(request.sges));
    Progress progress;
    Status status = Status::success;
    {
        const Held held(lock_);
        if (state_.load(std::memory_order_relaxed) == QueuePairState::idle) [[unlikely]]
            return Status::not_connected;
        status = enqueue(request, length_bytes, progress);
    }
    progress.after.run();
    return status;
}

// A Read or Write is carried out at once if the wire can, and otherwise posted as any other request. The lock is free in between, so
// that a request of another thread may come first.
Status SoftQueuePair::post_one_sided(const WorkRequest& request) {
    const auto length_bytes = static_cast<std::uint32_t>(total_length(request.sges));
    Progress progress;
    bool carried_out = false;
    {
        const Held held(lock_);
        carried_out = state_.load(std::memory_order_relaxed) == QueuePairState::attached &&
                      initiator_.carry_out(request, length_bytes, *channel_owner_, progress);
    }
    if (!carried_out) return post_request(request);
    progress.after.run();
    return Status::success;
}

Status SoftQueuePair::enqueue(const WorkRequest& request, std::uint32_t length_bytes, Progress& progress) {
    Status status = initiator_.post(request, length_bytes);
    if (status == Status::queue_full) [[unlikely]] {
        run_whole(progress);  // silent requests may have finished
        status = initiator_.post(request, length_bytes);
    }
    const bool attached = state_.load(std::memory_order_relaxed) == QueuePairState::attached;
    if (ok(status) && attached) [[likely]] {
        if (initiator_.start_posted(request, length_bytes, *channel_owner_, lock_, progress)) [[unlikely]]
            run_whole(progress);
    }
    if (!attached || initiator_.failed()) [[unlikely]]
        settle(progress);
    else if (initiator_.waits_for_peer()) [[unlikely]]
        come_back_for_peer(progress);
    if (is_armed()) [[unlikely]]
        watch_peers_pollers(progress);
    return status;
}

Status SoftQueuePair::post_receive(const WorkRequest& request) {
    bool awaited = false;
    {
        const Held held(lock_);
        const Status status = responder_.post(request);
        if (!ok(status)) [[unlikely]]
            return status;
        // The receive is awaited if a message waits for it, or if it is to be flushed at once.
        awaited = responder_.starved() || state_.load(std::memory_order_relaxed) == QueuePairState::error;
    }
    if (awaited) [[unlikely]]
        run();
    return Status::success;
}

}  // namespace opennd::soft
