// SPDX-License-Identifier: MIT
// SocketSource: see socket_source.h.
#include "transport/iwarp/socket_source.h"

#include <array>
#include <utility>

#include "base/until_memory.h"

namespace opennd::iwarp {

using Attention = soft::Attention;

// The event loop's reference to a source.
class SocketSource::Watch final : public EventLoop::Watcher {
public:
    explicit Watch(Ref<SocketSource> source) : source_(std::move(source)) {}
    void on_ready(std::uint32_t) override { source_->on_ready(); }

private:
    const Ref<SocketSource> source_;
};

SocketSource::SocketSource(EventLoop& loop, Ref<PollerWatch> pollers, soft::Crowd& crowd, SocketSet sockets)
    : timers_(loop), pollers_(std::move(pollers)), sockets_(std::move(sockets)), loop_(&loop), crowd_(&crowd) {}

Ref<SocketSource> SocketSource::create(EventLoop& loop, Ref<PollerWatch> pollers, soft::Crowd& crowd) {
    auto sockets = SocketSet::create();
    if (!sockets.ok()) return nullptr;
    const Ref<SocketSource> made(new SocketSource(loop, std::move(pollers), crowd, sockets.take()));
    const Ref<EventLoop::Watcher> watch(new Watch(made));
    if (!ok(loop.add(made->sockets_.descriptor(), EventLoop::kArrival, watch))) return nullptr;
    return made;
}

Ref<soft::Crowd> SocketSource::crowd() const {
    const Held lock(crowd_mutex_);
    return crowd_;
}

void SocketSource::close() {
    {
        const Held lock(loop_mutex_);
        loop_->remove(sockets_.descriptor());
    }
    Ref<soft::Crowd> last;  // released outside the lock
    const Held lock(crowd_mutex_);
    last = std::exchange(crowd_, nullptr);
}

bool SocketSource::add(int socket, soft::Place place) {
    {
        const Held lock(kept_lock_);
        kept_.reserve(static_cast<std::size_t>(place) + 1);
    }
    return ok(sockets_.add(socket, static_cast<std::uint32_t>(place)));
}

void SocketSource::collect(soft::ReadyList& ready, soft::Asking asking) {
    if (keeps_.load()) {
        const Held lock(kept_lock_);
        while (!kept_.empty()) ready.add(kept_.take());
        keeps_.store(false);
    }
    std::array<std::uint32_t, SocketSet::kMostAtOnce> numbers;
    std::size_t count = 0;
    do {
        count = sockets_.take(numbers);
        for (std::size_t i = 0; i < count; ++i) ready.add(static_cast<soft::Place>(numbers[i]));
    } while (count == numbers.size() && asking == soft::Asking::thoroughly);
}

bool SocketSource::keep(soft::Place place) {
    {
        const Held lock(kept_lock_);
        kept_.add(place);
        keeps_.store(true);
    }
    return attention() == soft::Attention::polling;
}

// While attention is `polling`, arrivals wake no thread.
void SocketSource::set_attention(soft::Attention attention) {
    const bool was_polling = attention_.exchange(attention) == soft::Attention::polling,
               polling = attention == soft::Attention::polling;
    // Once the loop watches again, it reports what is there already.
    if (was_polling != polling) {
        const Held lock(loop_mutex_);
        (void)loop_->modify(sockets_.descriptor(), polling ? EventLoop::kNothing : EventLoop::kArrival);
    }
    if (attention != soft::Attention::asleep) keep_watch();
}

void SocketSource::move_to(EventLoop& loop) {
    const Held lock(loop_mutex_);
    if (loop_ != &loop && ok(loop_->move(sockets_.descriptor(), loop))) loop_ = &loop;
}

void SocketSource::on_ready() {
    if (const Ref<soft::Crowd> crowd = this->crowd()) crowd->serve();
}

void SocketSource::keep_watch() {
    if (kept_watch_.exchange(true)) return;
    until_memory(
        [this] { pollers_->add(timers_, [self = Ref<SocketSource>(this)] { return self->find_idle_poller(); }); });
}

bool SocketSource::find_idle_poller() {
    const Ref<soft::Crowd> crowd = this->crowd();
    if (!crowd) return false;
    const std::uint32_t polls = crowd->polls();
    if (polls == polls_seen_ && attention() != soft::Attention::asleep) crowd->take_over();
    polls_seen_ = polls;
    if (attention() != soft::Attention::asleep) return true;
    kept_watch_.store(false);
    return attention() != soft::Attention::asleep && !kept_watch_.exchange(true);
}

}  // namespace opennd::iwarp
