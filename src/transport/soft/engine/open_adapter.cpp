// SPDX-License-Identifier: MIT
// OpenAdapter: see open_adapter.h.
#include "transport/soft/engine/open_adapter.h"

#include <utility>

#include "platform/thread/asymmetric_barrier.h"
#include "transport/soft/channel/access_end.h"

namespace opennd::soft {

void OpenAdapter::end_registration(const TokenTable::Tokens& tokens, std::uint32_t segment) {
    tokens_.remove(tokens.local);
    // Peers mark their accesses with plain stores; the barrier makes the marks visible here, and the dead token there.
    heavy_barrier();
    const AccessEnd end;
    std::vector<Ref<ServedQueuePair>> liars;
    {
        const Held lock(queue_pairs_mutex_);
        for (ServedQueuePair* queue_pair : queue_pairs_)
            if (!queue_pair->end_accesses(tokens.remote, end)) liars.emplace_back(queue_pair);
        std::erase_if(departing_, [&](const Ref<Channel>& channel) {
            return !end.wait_for_peer(*channel, tokens.remote) || channel->access().exclude_peer();
        });
    }
    tokens_.release(tokens.local);
    revoke_segment(segment);
    for (const Ref<ServedQueuePair>& liar : liars) liar->fail();
}

Result<Descriptor> OpenAdapter::shared_segment(std::uint32_t segment, Grant how) {
    const Held lock(segments_mutex_);
    if (how == Grant::by_registration && !granted_segments_.contains(segment)) return Status::access_violation;
    return parts_.mappable_memory.segment_descriptor(segment);
}

void OpenAdapter::grant_segment(std::uint32_t segment) {
    if (segment == 0) return;
    const Held lock(segments_mutex_);
    ++granted_segments_[segment];
}

void OpenAdapter::revoke_segment(std::uint32_t segment) {
    if (segment == 0) return;
    const Held lock(segments_mutex_);
    const auto found = granted_segments_.find(segment);
    if (--found->second == 0) granted_segments_.erase(found);
}

std::uint32_t OpenAdapter::next_scope() {
    const std::uint32_t scope = scopes_.fetch_add(1, std::memory_order_relaxed) + 1;
    return scope != 0 ? scope : next_scope();
}

OpenAdapter::~OpenAdapter() {
    const std::vector<Ref<OpenEndSink>> sinks = [this] {
        const Held lock(end_sinks_mutex_);
        return std::move(end_sinks_);
    }();
    for (const Ref<OpenEndSink>& sink : sinks) sink->on_open_ended(*this);
}

void OpenAdapter::tell_end_to(Ref<OpenEndSink> sink) {
    const Held lock(end_sinks_mutex_);
    for (const Ref<OpenEndSink>& each : end_sinks_)
        if (each == sink) return;
    end_sinks_.push_back(std::move(sink));
}

void OpenAdapter::add(ServedQueuePair& queue_pair) {
    const Held lock(queue_pairs_mutex_);
    departing_.reserve(departing_.size() + queue_pairs_.size() + 1);  // remove() must not fail
    queue_pairs_.push_back(&queue_pair);
}

void OpenAdapter::remove(ServedQueuePair& queue_pair, Ref<Channel> channel) {
    const bool departs = channel && !channel->access().exclude_peer();
    const Held lock(queue_pairs_mutex_);
    std::erase_if(departing_, [](const Ref<Channel>& each) { return each->access().exclude_peer(); });
    if (departs) departing_.push_back(std::move(channel));
    std::erase(queue_pairs_, &queue_pair);
}

}  // namespace opennd::soft
