// SPDX-License-Identifier: MIT
// See queue_pair.h.
#include "transport/joint/queue_pair.h"

#include "transport/soft/channel/channel.h"

namespace opennd::joint {
namespace {

// Calls `call` with the queue pair in use, again if that has changed meanwhile: receives may have moved past it.
template <typename Call>
void for_used(const std::atomic<TransportQueuePair*>& used, Call&& call) {
    TransportQueuePair* done = nullptr;
    for (TransportQueuePair* now = nullptr; (now = used.load(std::memory_order_acquire)) != done; done = now)
        call(*now);
}

constexpr Sge same(const Sge& entry) { return entry; }
// The entries of one request, with the tokens of the other part.
using TranslatedSges = SgeList<Sge, same, soft::kMaxSges>;

}  // namespace

JointQueuePair::JointQueuePair(Ref<RefCounted> adapter, const DeviceKeys& keys,
                               const Ref<JointCompletionQueue>& receives, const Ref<JointCompletionQueue>& initiators,
                               const Ref<TransportQueuePair>& host, const Ref<TransportQueuePair>& nic)
    : adapter_(std::move(adapter)),
      keys_(keys),
      receives_(receives),
      initiators_(initiators),
      host_(host),
      nic_(nic),
      used_(host_.get()) {}

Ref<TransportQueuePair> JointQueuePair::create(Ref<RefCounted> adapter, const DeviceKeys& keys,
                                               const Ref<JointCompletionQueue>& receives,
                                               const Ref<JointCompletionQueue>& initiators,
                                               const Ref<TransportQueuePair>& host,
                                               const Ref<TransportQueuePair>& nic) {
    const Ref<JointQueuePair> made(new JointQueuePair(std::move(adapter), keys, receives, initiators, host, nic));
    const bool receives_live = receives->attach(*made);
    const bool initiators_live = initiators->attach(*made);
    if (!receives_live || !initiators_live) made->end(Status::canceled);
    return made;
}

JointQueuePair::~JointQueuePair() {
    receives_->detach(*this);
    initiators_->detach(*this);
}

Status JointQueuePair::post(const WorkRequest& request) {
    TransportQueuePair* const to = used();
    const Status status = to == host_.get() ? host_->post(request) : post_to_nic(request);
    if (request.operation == Operation::receive && used() != to) [[unlikely]]
        follow();
    return status;
}

Status JointQueuePair::post_to_nic(const WorkRequest& request) {
    // Data that the post copies need no token, and such a request alone has more entries.
    if (has(request.flags, RequestFlags::inline_data) || request.sges.size() > TranslatedSges::kMaxEntries)
        return nic_->post(request);
    TranslatedSges entries;
    for (std::uint32_t i = 0; const Sge& each : request.sges)
        entries.put(i++, {each.buffer, each.length, keys_.of(each.token)});
    WorkRequest translated = request;
    translated.sges = entries.entries(request.sges.size());
    return nic_->post(translated);
}

void JointQueuePair::follow() {
    const Held lock(mutex_);
    TransportQueuePair& to = *used();
    move_receives(&to == nic_.get() ? *host_ : *nic_, to);
}

// A receive that finds no room completes as canceled: results of an earlier flush still have it.
void JointQueuePair::move_receives(TransportQueuePair& from, TransportQueuePair& to) {
    bool left = false;
    for (const PostedReceive& each : from.take_receives()) {
        TranslatedSges entries;
        for (std::uint32_t i = 0; const Sge& sge : each.sges)
            entries.put(i++,
                        {sge.buffer, sge.length, &to == nic_.get() ? keys_.of(sge.token) : keys_.token_of(sge.token)});
        if (ok(to.post({Operation::receive, RequestFlags::none, each.context, entries.entries(each.sges.size())})))
            continue;
        left = ok(from.post({Operation::receive, RequestFlags::none, each.context, {}})) || left;
    }
    if (left) from.flush();
}

Ref<TransportQueuePair> JointQueuePair::choose(Part part) {
    if (part == Part::nic) {
        receives_->use_nic();
        if (initiators_ != receives_) initiators_->use_nic();
    }
    const Ref<TransportQueuePair>& chosen = part == Part::nic ? nic_ : host_;
    const Held lock(mutex_);
    TransportQueuePair* const before = used();
    if (before == chosen.get()) return chosen;
    if (closed_ || before->state() != QueuePairState::idle) {
        chosen->end(Status::canceled);
        return chosen;
    }
    used_.store(chosen.get(), std::memory_order_release);
    move_receives(*before, *chosen);
    return chosen;
}

void JointQueuePair::flush() {
    for_used(used_, [](TransportQueuePair& pair) { pair.flush(); });
}

void JointQueuePair::end(Status oldest) {
    for_used(used_, [oldest](TransportQueuePair& pair) { pair.end(oldest); });
}

void JointQueuePair::close() {
    {
        const Held lock(mutex_);
        closed_ = true;
    }
    receives_->detach(*this);
    initiators_->detach(*this);
    host_->close();
    nic_->close();
}

void JointQueuePair::set_number(std::uint32_t number) {
    host_->set_number(number);
    nic_->set_number(number);
}

void JointQueuePair::fail_part(Part part) {
    if (this->part() == part) used()->fail();
}

}  // namespace opennd::joint
