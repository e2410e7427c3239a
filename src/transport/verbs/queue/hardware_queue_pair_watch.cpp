// SPDX-License-Identifier: MIT
// HardwareQueuePair, the watch of messages that wait for a receive of the peer: see message_watch.h. It looks while requests are
// outstanding, some times in the limit, and rests otherwise.
#include <utility>

#include "base/explanation.h"
#include "base/until_memory.h"
#include "platform/process/clock.h"
#include "transport/verbs/queue/hardware_queue_pair.h"

namespace opennd::verbs {

void HardwareQueuePair::watch_messages() {
    const SendProgress seen = requests_.progress();
    const Held lock(lock_);
    if (!message_limit_ || state() == QueuePairState::error) return;
    watch_.begin(*message_limit_, seen.retired, now());
    look_again();
}

void HardwareQueuePair::look_again() {
    const SteadyTime when = now() + watch_.pause();
    next_look_ = until_memory([this, when] {
        return device()->event_loop().schedule(when,
                                               [self = Ref<HardwareQueuePair>(this)] { self->look_at_messages(); });
    });
}

// On the service thread. Results that nobody has polled count.
void HardwareQueuePair::look_at_messages() {
    AfterLock after;
    parts_.initiators->drain(after);
    after.run();
    const SendProgress seen = requests_.progress();
    MessageWatch::Step step = MessageWatch::Step::rest;
    Ref<ConnectionEnd> connection;
    {
        const Held lock(lock_);
        if (state() == QueuePairState::error) return;
        connection = connection_;
        step = watch_.look(seen, now());
        if (step == MessageWatch::Step::rest && !requests_.end_watch()) step = MessageWatch::Step::look;
        if (step != MessageWatch::Step::rest && step != MessageWatch::Step::expire) look_again();
    }
    if (step == MessageWatch::Step::ask_tell) requests_.post_teller();
    if (step == MessageWatch::Step::ask_peer && connection) connection->queue_pair_stands();
    if (step == MessageWatch::Step::expire) expire_message();
}

void HardwareQueuePair::peer_answered() {
    const Held lock(lock_);
    watch_.answered(now());
}

void HardwareQueuePair::expire_message() {
    std::chrono::milliseconds waited{};
    {
        const Held lock(lock_);
        waited = message_limit_->wait;
    }
    (void)report(Status::timed_out, {.object = "queue pair",
                                     .operation = name(Operation::send),
                                     .asked = "a receive of the peer",
                                     .limit = phrase("{} ms of waiting; the connection ends", waited.count()),
                                     .remedy = "let the peer post receives before this side sends, or set "
                                               "OPENND_NO_RECEIVE_MS",
                                     .requirement = "ND2-QP-SEND-05"});
    parts_.initiators->set_oldest(*requests_.ring(), Status::timed_out);
    fail();
}

}  // namespace opennd::verbs
